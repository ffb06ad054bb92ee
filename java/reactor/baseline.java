package reactor;

import harness.Outcome;
import java.util.List;
import reactor.core.publisher.Mono;

/** Calls a plain method n times and sums what it returns: the language without tasks. */
final class Baseline {
    private static int body(int i) {
        return i;
    }

    static Outcome call(int n, int first) {
        int finished = 0;
        long checksum = 0;
        for (int i = first; i < first + n; i++) {
            checksum += body(i);
            finished++;
        }
        return Outcome.of(finished, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Monos.run(words, "baseline", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.repeat(() -> monos.timed(() -> Mono.just(call(n, monos.nonce()))));
        });
    }
}
