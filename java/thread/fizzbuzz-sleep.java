package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** n tasks do m fizzbuzz steps each and sleep after every one; the process is held still when all of them sleep. */
final class FizzbuzzSleep {
    /** What a task did, and how many nanoseconds late its last sleep ended. */
    private record Steps(int count, long sum, long late) {}

    private final Threads threads;
    private final int n;
    private final int m;
    private final int sleepMs;
    private final AtomicInteger alive = new AtomicInteger();
    private final CountDownLatch allAsleep;

    private FizzbuzzSleep(Threads threads) {
        this.threads = threads;
        n = threads.arguments.integer("n", 1);
        m = threads.arguments.integer("m", 1);
        sleepMs = threads.arguments.integer("sleep_ms", 1);
        allAsleep = new CountDownLatch(n);
    }

    private Steps body(int task) throws InterruptedException {
        int count = 0;
        long sum = 0;
        long late = 0;
        while (count < m) {
            sum += Fizzbuzz.step(task + count);
            if (count == 0) enter(task);
            count++;
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(sleepMs);
            Thread.sleep(sleepMs);
            late = System.nanoTime() - due;
        }
        alive.decrementAndGet();
        return new Steps(count, sum, Math.max(0, late));
    }

    /** A task counts itself as its last act before its first sleep. */
    private void enter(int task) {
        threads.trace.park(task);
        alive.incrementAndGet();
        allAsleep.countDown();
    }

    private Outcome sleepAll(long[] lateness) throws Exception {
        var tasks = new ArrayList<Future<Steps>>(n);
        for (int i = 0; i < n; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> body(number)));
        }
        allAsleep.await();
        int mostAlive = alive.get();
        threads.program.hold("live", mostAlive);

        int finished = 0;
        int steps = 0;
        long checksum = 0;
        for (int i = 0; i < n; i++) {
            Steps done = tasks.get(i).get();
            threads.trace.collect(i);
            finished++;
            steps += done.count;
            checksum += done.sum;
            lateness[i] = done.late;
        }
        return Outcome.of(
                steps, "finished", finished, "steps", steps, "checksum", checksum, "most_alive", mostAlive);
    }

    static void main(String[] words) {
        Threads.run(words, "fizzbuzz-sleep", List.of("n", "m", "sleep_ms"), threads -> {
            var all = new FizzbuzzSleep(threads);
            var lateness = new long[all.n];
            threads.program.hold("base", all.alive.get());
            threads.program.laps.start();
            threads.program.laps.stop(all.sleepAll(lateness));
            threads.program.series("lateness", lateness);
        });
    }
}
