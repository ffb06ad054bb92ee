package reactor;

import harness.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Starts tasks, each one subscription that a worker of the scheduler runs, and records who runs when. Without a trace a Mono is handed on as
 * it is, as a part of what is measured.
 *
 * <p>A task is told from others by the object that subscribeOn makes for each subscription and hands to the worker. It lies in the task's
 * Context, which the library keeps for each chain of subscribers: a Mono that is subscribed to without subscribeOn has that of its subscriber.
 */
final class Tasks {
    /** What tasks returned, and how many had been started before any of it was looked at. */
    record Results<T>(int created, List<T> values) {
        int finished() {
            return values.size();
        }

        long sum(ToLongFunction<T> value) {
            long sum = 0;
            for (T result : values) sum += value.applyAsLong(result);
            return sum;
        }
    }

    /** The key of a task's subscription in its Context. */
    private static final Object SUBSCRIPTION = new Object();

    final Scheduler scheduler = Schedulers.parallel();

    /** Gives way: it emits 1 when its turn in the scheduler's queue has come. */
    final Mono<Integer> turn = Mono.just(1).publishOn(scheduler);

    private final Trace trace;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Object, String> units = new IdentityHashMap<>(); // by subscription, each of which is kept: none is taken for an earlier one
    private final ThreadLocal<String> running = new ThreadLocal<>(); // who was the first to run in this turn of the worker

    Tasks(Trace trace) {
        this.trace = trace;
        if (!trace.on()) return;
        Schedulers.onScheduleHook("trace", work -> () -> {
            running.remove();
            work.run();
        });
    }

    /** Runs the body as task i of whoever subscribes. */
    <T> Mono<T> task(int i, Mono<T> body) {
        return trace.on() ? spawned(i, done(i, before("run", i, body))) : body.subscribeOn(scheduler);
    }

    /** The same for a task that records by itself when it is resumed. */
    <T> Mono<T> resumingTask(int i, Mono<T> body) {
        return trace.on() ? spawned(i, done(i, body)) : body.subscribeOn(scheduler);
    }

    /** The same for a task that several may start, so that it has no number of its own but the next. */
    <T> Mono<T> nextTask(Mono<T> body) {
        return trace.on() ? Mono.defer(() -> task(numbers.getAndIncrement(), body)) : body.subscribeOn(scheduler);
    }

    /** Starts a task that is not joined by its completion, and that records all but its start by itself. */
    Mono<Disposable> start(int i, Mono<?> body) {
        if (!trace.on()) return Mono.fromSupplier(() -> body.subscribeOn(scheduler).subscribe());
        return Mono.deferContextual(view -> {
            add("spawn", i, view);
            var started = identified(body).subscribe();
            add("spawned", i, view);
            return Mono.just(started);
        });
    }

    /** Starts a thread of the operating system in place of task i, which records all but its start by itself. */
    Mono<Thread> startThread(int i, Runnable body) {
        return noting("spawn", i, Mono.fromSupplier(() -> Thread.ofPlatform().start(body)).delayUntil(_ -> noting("spawned", i, Mono.empty())));
    }

    /** Records an event of task i, a thread of the operating system; the number of a thread is never given twice. */
    void addOfThread(String kind, int i) {
        if (trace.on()) trace.add(kind, i, "thread-" + Thread.currentThread().threadId());
    }

    /** Starts n tasks, numbered from `first` on, and emits what they returned when all have ended. */
    <T> Mono<Results<T>> gather(int first, int n, IntFunction<Mono<T>> task) {
        return Mono.defer(() -> {
            var counted = new Object() {
                int created;
            };
            var starts = new ArrayList<Mono<T>>(n);
            for (int i = first; i < first + n; i++) {
                int number = i;
                starts.add(Mono.defer(() -> {
                    counted.created++;
                    return task.apply(number);
                }));
            }
            return Mono.zip(starts, values -> new Results<>(counted.created, listOf(values)));
        });
    }

    @SuppressWarnings("unchecked") // zip hands on what it was given, but without its type
    private static <T> List<T> listOf(Object[] values) {
        return (List<T>) Arrays.asList(values);
    }

    /** Records an event of task i when it comes to `next`. */
    <T> Mono<T> before(String kind, int i, Mono<T> next) {
        if (!trace.on()) return next;
        return Mono.deferContextual(view -> {
            addInTurn(kind, i, view);
            return next;
        });
    }

    /** Records that task i runs at each element that it receives. */
    <T> Flux<T> resuming(int i, Flux<T> received) {
        if (!trace.on()) return received;
        return received.doOnEach(signal -> {
            if (signal.isOnNext()) addInTurn("run", i, signal.getContextView());
        });
    }

    /** A body with its clean-up, which a cancelled task does in a turn of its own: without cancelOn it would run on the canceller's stack. */
    <T> Mono<T> cleaningUp(int i, Mono<T> body, Consumer<SignalType> cleanUp) {
        if (!trace.on()) return body.doFinally(cleanUp).cancelOn(scheduler);
        return Mono.<T>deferContextual(view -> body.doFinally(signal -> {
                    addInTurn("done", i, view);
                    cleanUp.accept(signal);
                }))
                .cancelOn(scheduler);
    }

    /** Records an event of whoever subscribes, in any turn: who joins others goes on in that of the last one to end. */
    <T> Mono<T> noting(String kind, int i, Mono<T> next) {
        if (!trace.on()) return next;
        return Mono.deferContextual(view -> {
            add(kind, i, view);
            return next;
        });
    }

    /** Records that whoever subscribes has the results of these tasks. */
    Mono<Results<Integer>> collecting(Mono<Results<Integer>> results) {
        if (!trace.on()) return results;
        return results.doOnEach(signal -> {
            if (signal.isOnNext()) signal.get().values.forEach(i -> add("collect", i, signal.getContextView()));
        });
    }

    private <T> Mono<T> done(int i, Mono<T> body) {
        return body.doOnEach(signal -> {
            if (signal.isOnComplete()) add("done", i, signal.getContextView());
        });
    }

    private <T> Mono<T> spawned(int i, Mono<T> body) {
        return Mono.deferContextual(view -> Mono.fromDirect(starter -> {
            add("spawn", i, view);
            identified(body).subscribe(starter);
            add("spawned", i, view);
        }));
    }

    private <T> Mono<T> identified(Mono<T> body) {
        return Mono.<T>fromDirect(subscription -> body.contextWrite(Context.of(SUBSCRIPTION, subscription)).subscribe(subscription))
                .subscribeOn(scheduler);
    }

    private void add(String kind, int task, ContextView view) {
        trace.add(kind, task, unit(view));
    }

    /** The same for what a task must do in a turn of its own: in that of another it is the other that runs. */
    private void addInTurn(String kind, int task, ContextView view) {
        if (running.get() == null) running.set(unit(view));
        trace.add(kind, task, running.get());
    }

    private synchronized String unit(ContextView view) {
        if (!view.hasKey(SUBSCRIPTION)) return "main";
        return units.computeIfAbsent(view.get(SUBSCRIPTION), _ -> "subscription-" + units.size());
    }
}
