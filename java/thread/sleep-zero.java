package thread;

import harness.Outcome;
import harness.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** k tasks sleep m times each for no time at all. */
final class SleepZero {
    /** A task's body: counts from `first` how often it woke. */
    private static int sleeps(int task, int m, int first, Trace trace) throws InterruptedException {
        int counted = first;
        for (int turn = 0; turn < m; turn++) {
            Thread.sleep(0);
            counted++;
            trace.run(task);
        }
        return counted;
    }

    private static Outcome sleeps(int k, int m, Threads threads) throws Exception {
        int nonce = threads.nonce();
        var tasks = new ArrayList<Future<Integer>>(k);
        for (int i = 0; i < k; i++) {
            int number = i;
            tasks.add(threads.tasks.submitResuming(i, () -> sleeps(number, m, nonce, threads.trace)));
        }
        int finished = 0;
        long checksum = 0;
        for (var task : tasks) {
            checksum += task.get();
            finished++;
        }
        return Outcome.of(checksum - (long) finished * nonce, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "sleep-zero", List.of("k", "m"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> sleeps(k, m, threads));
        });
    }
}
