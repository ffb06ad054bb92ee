package reactor;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

/** Scopes of n children, of which one fails; the others are cancelled for it, and the error comes to the one who waits for all. */
final class Scope {
    /** The error of a child; its value tells which. */
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        final int value;

        Failure(int value) {
            super("failed with " + value);
            this.value = value;
        }
    }

    private final int n;
    private final Monos monos;
    private final Tasks tasks;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private int created;
    private int failed;
    private long checksum;

    private Scope(int n, Monos monos) {
        this.n = n;
        this.monos = monos;
        tasks = monos.tasks;
    }

    /** One scope: what its children tell each other and whoever waits for them. */
    private final class Children {
        private final int last;
        private final int value;
        private final AtomicInteger missing = new AtomicInteger(n);
        private final Sinks.Empty<Void> arrived = Sinks.empty();
        private final List<Mono<Void>> starts = new ArrayList<>();
        private final List<Mono<Void>> ends = new ArrayList<>();

        /** n children, numbered from `first` on, the last of which fails. */
        Children(int first, int value) {
            last = first + n - 1;
            this.value = value;
            for (int i = first; i < last; i++) starts.add(started(i, park(i)));
            starts.add(started(last, fail()));
        }

        private Mono<Void> started(int i, Mono<Void> body) {
            return Mono.defer(() -> {
                created++;
                return tasks.resumingTask(i, tasks.before("run", i, body));
            });
        }

        private void arrive() {
            if (missing.decrementAndGet() == 0) arrived.emitEmpty(EmitFailureHandler.FAIL_FAST);
        }

        /** Waits for what never comes. */
        private Mono<Void> park(int i) {
            Sinks.Empty<Void> end = Sinks.empty();
            ends.add(end.asMono());
            var waits = Mono.<Void>never().doOnSubscribe(_ -> arrive());
            return tasks.cleaningUp(i, waits, signal -> {
                if (signal == SignalType.CANCEL) cancelled.incrementAndGet();
                cleaned.incrementAndGet();
                end.emitEmpty(EmitFailureHandler.FAIL_FAST);
            });
        }

        /** Waits until its siblings wait. */
        private Mono<Void> fail() {
            return arrived.asMono()
                    .doOnSubscribe(_ -> arrive())
                    .publishOn(tasks.scheduler)
                    .then(tasks.before("fail", last, Mono.error(() -> new Failure(value))));
        }

        /** The first error, once all have ended: `when` cancels the others and hands it on without waiting for them. */
        Mono<Void> join() {
            return Mono.when(starts).onErrorResume(error -> Mono.when(ends).then(Mono.error(error)));
        }
    }

    private Mono<Void> open(int i) {
        return tasks.noting("open", i, new Children(i * n, monos.nonce() + i).join())
                .onErrorResume(Failure.class, failure -> {
                    failed++;
                    checksum += failure.value;
                    return Mono.empty();
                })
                .then(tasks.noting("close", i, Mono.empty()));
    }

    private Mono<Outcome> measure(int m) {
        return Flux.range(0, m)
                .concatMap(this::open)
                .then(Mono.fromSupplier(() -> Outcome.of(
                        cleaned.get() + failed,
                        "created", created,
                        "failed", failed,
                        "cancelled", cancelled.get(),
                        "cleaned", cleaned.get(),
                        "checksum", checksum)));
    }

    static void main(String[] words) {
        Monos.run(words, "scope", List.of("n", "m"), monos -> {
            int n = monos.arguments.integer("n", 1);
            int m = monos.arguments.integer("m", 1);
            return monos.repeat(() -> monos.timed(() -> new Scope(n, monos).measure(m)));
        });
    }
}
