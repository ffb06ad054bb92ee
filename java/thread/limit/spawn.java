package thread.limit;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import thread.Threads;

/** Starts n threads, each of which leaves its result in a place of its own, then joins them and sums what they left. */
final class Spawn {
    /**
     * The last one is joined first: whoever waits for the first is woken by it and, among virtual threads, has its turn before those
     * that were started after it, and so on with the next.
     */
    static Outcome spawn(int n, Threads threads) throws InterruptedException {
        var tasks = new ArrayList<Thread>(n);
        var results = new int[n];
        for (int i = 0; i < n; i++) {
            int number = i;
            tasks.add(threads.tasks.start(i, () -> {
                threads.trace.run(number);
                results[number] = number;
                threads.trace.done(number);
            }));
        }
        int created = tasks.size();
        int finished = 0;
        long checksum = 0;
        for (int i = n - 1; i >= 0; i--) {
            tasks.get(i).join();
            threads.trace.collect(i);
            checksum += results[i];
            finished++;
        }
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "spawn", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> spawn(n, threads));
        });
    }
}
