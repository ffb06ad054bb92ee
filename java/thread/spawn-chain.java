package thread;

import harness.Outcome;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only. */
final class SpawnChain {
    private final int first;
    private final int end;
    private final Threads threads;
    private final CountDownLatch ended = new CountDownLatch(1);
    // Starting a thread happens before its first action, so that these need no lock.
    private int finished;
    private long checksum;

    private SpawnChain(int n, int first, Threads threads) {
        this.first = first;
        end = first + n;
        this.threads = threads;
    }

    /** The end of a task is recorded before it starts the next, because both may run at once. */
    private void link(int i) {
        threads.trace.run(i);
        checksum += i;
        finished++;
        threads.trace.done(i);
        if (i + 1 < end) {
            threads.tasks.start(i + 1, () -> link(i + 1));
        } else {
            ended.countDown();
        }
    }

    private Outcome measure() throws InterruptedException {
        threads.tasks.start(first, () -> link(first));
        ended.await();
        return Outcome.of(finished, "finished", finished, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "spawn-chain", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.repeat(() -> new SpawnChain(n, threads.nonce(), threads).measure());
        });
    }
}
