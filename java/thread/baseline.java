package thread;

import harness.Outcome;
import java.util.List;

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
        Threads.run(words, "baseline", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> call(n, threads.nonce()));
        });
    }
}
