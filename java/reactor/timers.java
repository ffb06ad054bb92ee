package reactor;

import harness.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** n tasks sleep once, each until a deadline of its own within one second. */
final class Timers {
    private static final long SPREAD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The number of a task, and how many nanoseconds after its deadline it went on. */
    private record Woken(int number, long late) {}

    private static Mono<Woken> sleepUntil(long deadline, int number) {
        return Mono.defer(() -> Mono.delay(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))))
                .map(_ -> new Woken(number, System.nanoTime() - deadline));
    }

    private static Mono<Outcome> sleep(int n, int lead, long[] lateness, Monos monos) {
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lead);
        return monos.tasks
                .gather(0, n, i -> monos.tasks.task(i, sleepUntil(start + i * SPREAD_NS / n, i)))
                .map(results -> sum(results, lateness));
    }

    private static Outcome sum(Tasks.Results<Woken> results, long[] lateness) {
        int early = 0;
        for (int i = 0; i < lateness.length; i++) {
            long late = results.values().get(i).late;
            if (late < -EARLY_NS) early++;
            lateness[i] = Math.max(0, late);
        }
        return Outcome.of(
                results.finished(),
                "created", results.created(),
                "finished", results.finished(),
                "checksum", results.sum(Woken::number),
                "early", early);
    }

    static void main(String[] words) {
        Monos.run(words, "timers", List.of("n", "lead"), monos -> {
            int n = monos.arguments.integer("n", 1);
            int lead = monos.arguments.integer("lead", 0);
            var lateness = new long[n];
            return monos.timed(() -> sleep(n, lead, lateness, monos)).doOnNext(_ -> monos.program.series("lateness", lateness)).then();
        });
    }
}
