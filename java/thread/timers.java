package thread;

import harness.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** n tasks sleep once, each until a deadline of its own within one second. */
final class Timers {
    private static final long SPREAD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The number of a task, and how many nanoseconds after its deadline it went on. */
    private record Woken(int number, long late) {}

    private static Woken sleepUntil(long deadline, int number) throws InterruptedException {
        Thread.sleep(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        return new Woken(number, System.nanoTime() - deadline);
    }

    private static Outcome sleep(int n, long lead, long[] lateness, Threads threads) throws Exception {
        var tasks = new ArrayList<Future<Woken>>(n);
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lead);
        for (int i = 0; i < n; i++) {
            int number = i;
            long deadline = start + i * SPREAD_NS / n;
            tasks.add(threads.tasks.submit(i, () -> sleepUntil(deadline, number)));
        }
        int created = tasks.size();
        int finished = 0;
        int early = 0;
        long checksum = 0;
        for (var task : tasks) {
            Woken woken = task.get();
            if (woken.late < -EARLY_NS) early++;
            lateness[finished] = Math.max(0, woken.late);
            checksum += woken.number;
            finished++;
        }
        return Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum, "early", early);
    }

    static void main(String[] words) {
        Threads.run(words, "timers", List.of("n", "lead"), threads -> {
            int n = threads.arguments.integer("n", 1);
            int lead = threads.arguments.integer("lead", 0);
            var lateness = new long[n];
            threads.program.laps.start();
            threads.program.laps.stop(sleep(n, lead, lateness, threads));
            threads.program.series("lateness", lateness);
        });
    }
}
