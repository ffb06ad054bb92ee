package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;

/** Starts n tasks, then collects and sums what they return. */
final class Spawn {
    static Outcome spawn(int n, Threads threads) throws Exception {
        var tasks = new ArrayList<Future<Integer>>(n);
        for (int i = 0; i < n; i++) {
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

    /**
     * The same by threads alone: each leaves its result in a place of its own, and is joined. The last one first: whoever waits for the
     * first is woken by it and, among virtual threads, has its turn before those that were started after it, and so on with the next.
     */
    static Outcome spawnThreads(int n, Threads threads) throws InterruptedException {
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
        Threads.run(words, "spawn", List.of("n"), Set.of("limit"), threads -> {
            int n = threads.arguments.integer("n", 1);
            boolean limit = threads.arguments.flag("limit");
            threads.repeat(() -> limit ? spawnThreads(n, threads) : spawn(n, threads));
        });
    }
}
