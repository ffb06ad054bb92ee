package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** k tasks take one of s permits m times each, and give way while they have it. */
final class Semaphore {
    /**
     * What a task tells of itself: its permits, counted from the nonce on; the most tasks that it saw inside; how often it gave way; the
     * most permits of others between two of its own.
     */
    private record Count(int taken, int most, int yields, int passed) {}

    private final java.util.concurrent.Semaphore permits;
    private final int s;
    private final int nonce;
    private final boolean contended;
    private final Threads threads;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final List<Future<Count>> tasks = new ArrayList<>();

    /** Returns when all k tasks wait for a permit; the root holds all s of them. */
    private Semaphore(int k, int s, int m, Threads threads) throws InterruptedException {
        this.s = s;
        permits = new java.util.concurrent.Semaphore(s);
        nonce = threads.nonce();
        contended = k > s;
        this.threads = threads;
        permits.acquire(s);
        for (int i = 0; i < k; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> take(number, m)));
        }
        while (permits.getQueueLength() < k) Thread.sleep(1);
    }

    private Count take(int task, int m) throws InterruptedException {
        int taken = nonce;
        int most = 0;
        int yields = 0;
        int passed = 0;
        int last = 0;
        for (int turn = 0; turn < m; turn++) {
            threads.trace.ask(task);
            permits.acquire();
            try {
                threads.trace.enter(task);
                most = Math.max(most, inside.incrementAndGet());
                int number = entered.incrementAndGet();
                passed = Math.max(passed, number - last - 1);
                if (contended) {
                    Thread.yield();
                    yields++;
                }
                last = number;
                inside.decrementAndGet();
                threads.trace.leave(task);
            } finally {
                permits.release();
            }
            taken++;
        }
        return new Count(taken, most, yields, passed);
    }

    private Outcome share() throws Exception {
        permits.release(s);
        int finished = 0;
        int most = 0;
        int yields = 0;
        int passed = 0;
        long checksum = 0;
        for (var task : tasks) {
            Count count = task.get();
            most = Math.max(most, count.most);
            yields += count.yields;
            passed = Math.max(passed, count.passed);
            checksum += count.taken;
            finished++;
        }
        long taken = checksum - (long) finished * nonce;
        return Outcome.of(taken, "finished", finished, "most", most, "yields", yields, "passed", passed, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "semaphore", List.of("k", "s", "m"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int s = threads.arguments.integer("s", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new Semaphore(k, s, m, threads), Semaphore::share);
        });
    }
}
