package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Parks n tasks at one gate and holds the process still before, while and after they live. */
final class Parking {
    /** What task i does: it waits at the gate once, and returns i. */
    @FunctionalInterface
    interface Body {
        int run(int i, Parking gate) throws InterruptedException;
    }

    private final Threads threads;
    private final AtomicInteger parked = new AtomicInteger();
    private final CountDownLatch opened = new CountDownLatch(1);

    private Parking(Threads threads) {
        this.threads = threads;
    }

    /** The whole program of a memory workload. */
    static void run(String[] words, String workload, Body body) {
        Threads.run(
                words,
                workload,
                List.of("n"),
                threads -> {
                    int n = threads.arguments.integer("n", 1);
                    threads.program.laps.start();
                    threads.program.laps.stop(new Parking(threads).measure(n, threads.nonce(), body));
                });
    }

    /** Parks task i until the gate is opened. */
    void await(int i) throws InterruptedException {
        threads.trace.park(i);
        parked.incrementAndGet();
        opened.await();
        parked.decrementAndGet();
    }

    private Outcome measure(int n, int first, Body body) throws Exception {
        hold("base");
        var tasks = new ArrayList<Future<Integer>>(n);
        for (int i = first; i < first + n; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> body.run(number, this)));
        }
        int created = tasks.size();
        while (parked.get() < n) Thread.sleep(1); // a latch for this would be one more thing that each task touches
        hold("live");
        System.gc();
        hold("live-collected");

        opened.countDown();
        int finished = 0;
        long checksum = 0;
        for (var task : tasks) {
            checksum += task.get();
            finished++;
        }
        tasks.clear();
        tasks.trimToSize();
        hold("released");
        System.gc();
        hold("released-collected");
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum);
    }

    private void hold(String point) throws Exception {
        threads.program.hold(point, parked.get());
    }
}
