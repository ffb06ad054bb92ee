package thread;

import harness.Calls;
import java.util.List;

/** Calls a plain method n times and sums what it returns: the language without tasks. */
final class Baseline {
    static void main(String[] words) {
        Threads.run(words, "baseline", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> Calls.call(n, threads.nonce()));
        });
    }
}
