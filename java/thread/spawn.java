package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Starts n tasks, numbered from the nonce on, then collects and sums what they return. */
final class Spawn {
    static Outcome spawn(int n, int first, Threads threads) throws Exception {
        var tasks = new ArrayList<Future<Integer>>(n);
        for (int i = first; i < first + n; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> number));
        }
        int created = tasks.size();
        int finished = 0;
        long checksum = 0;
        for (var task : tasks) {
            int result = task.get();
            threads.trace.collect(result);
            checksum += result;
            finished++;
        }
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "spawn", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> spawn(n, threads.nonce(), threads));
        });
    }
}
