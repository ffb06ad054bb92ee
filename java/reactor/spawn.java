package reactor;

import harness.Outcome;
import java.util.List;
import reactor.core.publisher.Mono;

/** Starts n tasks, numbered from the nonce on, then collects and sums what they return. */
final class Spawn {
    private static Mono<Outcome> spawn(int n, Monos monos) {
        var tasks = monos.tasks;
        var all = tasks.gather(monos.nonce(), n, i -> tasks.task(i, Mono.fromCallable(() -> i)));
        return tasks.collecting(all).map(results -> Outcome.of(
                results.finished(),
                "created", results.created(),
                "finished", results.finished(),
                "checksum", results.sum(Integer::longValue)));
    }

    static void main(String[] words) {
        Monos.run(words, "spawn", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.repeat(() -> monos.timed(() -> spawn(n, monos)));
        });
    }
}
