package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;

/** A root that has slept starts n tasks at once, burst after burst; each tells when it first ran. */
final class Burst {
    private final int n;
    private final int first;
    private final Threads threads;
    private final long[] starts; // ns from the beginning of its burst to a task's first run
    private int created;
    private int finished;
    private long checksum;

    /** Tasks are numbered from the nonce on, over all bursts. */
    private Burst(int n, int bursts, Threads threads) {
        this.n = n;
        first = threads.nonce();
        this.threads = threads;
        starts = new long[n * bursts];
    }

    /** A task's body. */
    private int run(int number, long began) {
        starts[number - first] = System.nanoTime() - began;
        return number;
    }

    /** Returns when the last task of the burst first ran. */
    private long burst(int from) throws Exception {
        var tasks = new ArrayList<Future<Integer>>(n);
        long began = System.nanoTime();
        for (int i = from; i < from + n; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> run(number, began)));
        }
        created += tasks.size();
        for (var task : tasks) {
            int number = task.get();
            threads.trace.collect(number);
            checksum += number;
            finished++;
        }
        return Arrays.stream(starts, from - first, from - first + n).max().orElseThrow();
    }

    private Outcome measure(int idle) throws Exception {
        long last = 0;
        for (int from = first; from < first + starts.length; from += n) {
            Thread.sleep(idle);
            last += burst(from);
        }
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum, "last_ns", last);
    }

    static void main(String[] words) {
        Threads.run(words, "burst", List.of("n", "bursts", "idle_ms"), threads -> {
            int n = threads.arguments.integer("n", 1);
            int bursts = threads.arguments.integer("bursts", 1);
            int idle = threads.arguments.integer("idle_ms", 0);
            var burst = new Burst(n, bursts, threads);
            threads.program.laps.start();
            threads.program.laps.stop(burst.measure(idle));
            threads.program.series("start", burst.starts);
        });
    }
}
