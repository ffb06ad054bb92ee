package reactor;

import harness.Outcome;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** k tasks sleep m times each for no time at all. */
final class SleepZero {
    /** A task's body: counts from `first` how often it woke. */
    private static Mono<Integer> sleeps(int task, int m, int first, Tasks tasks) {
        return tasks.resuming(task, Mono.delay(Duration.ZERO).repeat(m - 1)).reduce(first, (counted, _) -> counted + 1);
    }

    private static Mono<Outcome> sleeps(int k, int m, Monos monos) {
        int nonce = monos.nonce();
        return monos.tasks.gather(0, k, i -> monos.tasks.resumingTask(i, sleeps(i, m, nonce, monos.tasks))).map(results -> {
            long checksum = results.sum(Integer::longValue);
            return Outcome.of(checksum - (long) k * nonce, "finished", results.finished(), "checksum", checksum);
        });
    }

    static void main(String[] words) {
        Monos.run(words, "sleep-zero", List.of("k", "m"), monos -> {
            int k = monos.arguments.integer("k", 1);
            int m = monos.arguments.integer("m", 1);
            return monos.repeat(() -> monos.timed(() -> sleeps(k, m, monos)));
        });
    }
}
