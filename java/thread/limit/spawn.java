package thread.limit;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import thread.Threads;

/** Starts n threads, each of which leaves its result in a place of its own, then joins them and sums what they left. */
final class Spawn {
    private final int first;
    private final int[] results;
    private final Threads threads;

    /** Threads are numbered from `first` on. */
    private Spawn(int n, int first, Threads threads) {
        this.first = first;
        results = new int[n];
        this.threads = threads;
    }

    /** The body of a thread, whose place is i. */
    private void leave(int i) {
        int number = first + i;
        threads.trace.run(number);
        results[i] = number;
        threads.trace.done(number);
    }

    /**
     * The last one is joined first: whoever waits for the first is woken by it and, among virtual threads, has its turn before those
     * that were started after it, and so on with the next.
     */
    private Outcome measure() throws InterruptedException {
        int n = results.length;
        var tasks = new ArrayList<Thread>(n);
        for (int i = 0; i < n; i++) {
            int place = i;
            tasks.add(threads.tasks.start(first + i, () -> leave(place)));
        }
        int created = tasks.size();
        int finished = 0;
        long checksum = 0;
        for (int i = n - 1; i >= 0; i--) {
            tasks.get(i).join();
            threads.trace.collect(first + i);
            checksum += results[i];
            finished++;
        }
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "spawn", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> new Spawn(n, threads.nonce(), threads).measure());
        });
    }
}
