package reactor;

import harness.Calls;
import java.util.List;
import reactor.core.publisher.Mono;

/** Calls a plain method n times and sums what it returns: the language without tasks. */
final class Baseline {
    static void main(String[] words) {
        Monos.run(words, "baseline", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.repeat(() -> monos.timed(() -> Mono.just(Calls.call(n, monos.nonce()))));
        });
    }
}
