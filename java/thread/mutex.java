package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/** k tasks take one lock m times each, and give way inside. */
final class Mutex {
    /** What a task tells of itself: its acquisitions, and the most by others between two of them. */
    private record Count(int acquired, int passed) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final int nonce;
    private final boolean contended;
    private final Threads threads;
    private final List<Future<Count>> tasks = new ArrayList<>();

    // Guarded by the lock. A task gives way between reading the value and writing it: two that are inside at once lose an increment.
    private int inside;
    private int most;
    private int yields;
    private int value;

    /** Returns when all k tasks wait for the lock, which the root holds. */
    private Mutex(int k, int m, Threads threads) throws InterruptedException {
        nonce = threads.nonce();
        value = nonce;
        contended = k > 1;
        this.threads = threads;
        lock.lock();
        for (int i = 0; i < k; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> take(number, m)));
        }
        while (lock.getQueueLength() < k) Thread.sleep(1);
    }

    private Count take(int task, int m) {
        int acquired = 0;
        int passed = 0;
        int last = nonce;
        for (; acquired < m; acquired++) {
            threads.trace.ask(task);
            lock.lock();
            try {
                threads.trace.enter(task);
                int found = enter();
                passed = Math.max(passed, found - last);
                if (contended) {
                    Thread.yield();
                    yields++;
                }
                last = found + 1;
                leave(last);
                threads.trace.leave(task);
            } finally {
                lock.unlock();
            }
        }
        return new Count(acquired, passed);
    }

    /** The value that is found. */
    private int enter() {
        inside++;
        most = Math.max(most, inside);
        return value;
    }

    private void leave(int left) {
        value = left;
        inside--;
    }

    private Outcome contend() throws Exception {
        lock.unlock();
        int acquired = 0;
        int passed = 0;
        int finished = 0;
        for (var task : tasks) {
            Count count = task.get();
            acquired += count.acquired;
            passed = Math.max(passed, count.passed);
            finished++;
        }
        return Outcome.of(acquired, "finished", finished, "most", most, "yields", yields, "passed", passed, "checksum", value);
    }

    static void main(String[] words) {
        Threads.run(words, "mutex", List.of("k", "m"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new Mutex(k, m, threads), Mutex::contend);
        });
    }
}
