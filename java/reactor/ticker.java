package reactor;

import harness.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** One task wakes on an absolute schedule while k others yield. */
final class Ticker {
    private final long period;
    private final long[] lateness;
    private long due;
    private int ticks;

    private Ticker(long period, long[] lateness) {
        this.period = period;
        this.lateness = lateness;
    }

    /** Sleeps until the next tick, unless that is overdue. */
    private Mono<Long> sleep() {
        due += period;
        long left = due - System.nanoTime();
        return left > 0 ? Mono.delay(Duration.ofNanos(left)) : Mono.just(0L);
    }

    /** The body of the task: its ticks. */
    private Mono<Integer> tick() {
        return Mono.defer(() -> {
            due = System.nanoTime();
            return Mono.defer(this::sleep)
                    .doOnNext(_ -> lateness[ticks++] = Math.max(0, System.nanoTime() - due))
                    .repeat(lateness.length - 1)
                    .then(Mono.fromSupplier(() -> ticks));
        });
    }

    private Mono<Outcome> measure(int k, Monos monos) {
        var load = new Load(k, monos);
        var ticked = load.running().then(monos.tasks.task(k, tick())).doOnNext(_ -> load.end());
        return Mono.zip(load.run(), ticked, Ticker::sum);
    }

    private static Outcome sum(Tasks.Results<Long> load, int ticks) {
        long active = load.values().stream().filter(yields -> yields > 0).count();
        return Outcome.of(ticks, "finished", load.finished() + 1, "active", active, "yields", load.sum(Long::longValue));
    }

    static void main(String[] words) {
        Monos.run(words, "ticker", List.of("k", "ticks", "period_us"), monos -> {
            int k = monos.arguments.integer("k", 1);
            var lateness = new long[monos.arguments.integer("ticks", 1)];
            long period = TimeUnit.MICROSECONDS.toNanos(monos.arguments.integer("period_us", 1));
            return monos.timed(() -> new Ticker(period, lateness).measure(k, monos))
                    .doOnNext(_ -> monos.program.series("lateness", lateness))
                    .then();
        });
    }
}
