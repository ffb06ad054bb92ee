package thread;

import harness.Outcome;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Each task starts the next as its last act; the root waits for the last one only. */
final class SpawnChain {
    private final int n;
    private final Threads threads;
    private final CountDownLatch ended = new CountDownLatch(1);
    // Starting a thread happens before its first action, so that these need no lock.
    private int finished;
    private long checksum;

    private SpawnChain(int n, Threads threads) {
        this.n = n;
        this.threads = threads;
    }

    private void link(int i) {
        threads.trace.run(i);
        checksum += i;
        finished++;
        if (i + 1 < n) {
            threads.tasks.follow(i + 1, () -> link(i + 1));
        } else {
            threads.trace.done(i);
            ended.countDown();
        }
    }

    private Outcome measure() throws InterruptedException {
        threads.tasks.follow(0, () -> link(0));
        ended.await();
        return Outcome.of(finished, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "spawn-chain", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> new SpawnChain(n, threads).measure());
        });
    }
}
