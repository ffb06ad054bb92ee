package reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

/** Parked tasks that are cancelled, clean up and are joined: those of cancel and of cancel-loaded. */
final class Crowd {
    /** What has become of them: those that waited, clean-ups, joins. */
    record Ended(int created, int cancelled, int finished) {}

    /** Whoever disposes of a subscription hears no more of it, so that the clean-up tells how the task ended. */
    private record Parked(Disposable subscription, Mono<SignalType> end) {}

    private final Tasks tasks;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private final List<Parked> all = new ArrayList<>();

    private Crowd(Tasks tasks) {
        this.tasks = tasks;
    }

    /** Starts n tasks, numbered from `first` on, and emits them when all of them wait. */
    static Mono<Crowd> park(int n, int first, Monos monos) {
        return Mono.defer(() -> {
            var crowd = new Crowd(monos.tasks);
            return Flux.range(first, n)
                    .concatMap(crowd::start)
                    .then(monos.until(() -> crowd.waiting.get() == n))
                    .then(Mono.delay(Duration.ofMillis(1))) // in which those that only gave way go on
                    .thenReturn(crowd);
        });
    }

    private Mono<Void> start(int i) {
        Sinks.One<SignalType> end = Sinks.one();
        var waits = Mono.defer(() -> {
            waiting.incrementAndGet();
            return Mono.never();
        });
        var body = tasks.cleaningUp(i, tasks.before("run", i, waits), signal -> {
            cleaned.incrementAndGet();
            end.emitValue(signal, EmitFailureHandler.FAIL_FAST);
        });
        return tasks.start(i, body).doOnNext(subscription -> all.add(new Parked(subscription, end.asMono()))).then();
    }

    Mono<Ended> cancel() {
        int created = waiting.get() - cleaned.get();
        for (var task : all) task.subscription.dispose();
        return Flux.fromIterable(all)
                .concatMap(Parked::end)
                .filter(SignalType.CANCEL::equals)
                .count()
                .map(finished -> new Ended(created, cleaned.get(), finished.intValue()));
    }
}
