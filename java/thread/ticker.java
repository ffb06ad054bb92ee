package thread;

import harness.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** One task wakes on an absolute schedule while k others yield. */
final class Ticker {
    private final CountDownLatch running;
    private volatile boolean ended;

    private Ticker(int k) {
        running = new CountDownLatch(k);
    }

    /** The body of a task of the load: its yields. */
    private long load() {
        running.countDown();
        long yields = 0;
        while (!ended) {
            Thread.yield();
            yields++;
        }
        return yields;
    }

    /** The body of the ticker: its ticks. It sleeps until each that is not yet due; one that is overdue it takes at once. */
    private static int tick(long period, long[] lateness) throws InterruptedException {
        long due = System.nanoTime();
        int ticks = 0;
        for (; ticks < lateness.length; ticks++) {
            due += period;
            long left = due - System.nanoTime();
            if (left > 0) Thread.sleep(Duration.ofNanos(left));
            lateness[ticks] = Math.max(0, System.nanoTime() - due);
        }
        return ticks;
    }

    private Outcome measure(int k, long period, long[] lateness, Threads threads) throws Exception {
        var tasks = new ArrayList<Future<Long>>(k);
        for (int i = 0; i < k; i++) tasks.add(threads.tasks.submit(i, this::load));
        running.await();
        int ticks = threads.tasks.submit(k, () -> tick(period, lateness)).get();
        ended = true;
        int finished = 1;
        int active = 0;
        long yields = 0;
        for (var task : tasks) {
            long counted = task.get();
            if (counted > 0) active++;
            yields += counted;
            finished++;
        }
        return Outcome.of(ticks, "finished", finished, "active", active, "yields", yields);
    }

    static void main(String[] words) {
        Threads.run(words, "ticker", List.of("k", "ticks", "period_us"), threads -> {
            int k = threads.arguments.integer("k", 1);
            var lateness = new long[threads.arguments.integer("ticks", 1)];
            long period = TimeUnit.MICROSECONDS.toNanos(threads.arguments.integer("period_us", 1));
            var ticker = new Ticker(k);
            threads.program.laps.start();
            threads.program.laps.stop(ticker.measure(k, period, lateness, threads));
            threads.program.series("lateness", lateness);
        });
    }
}
