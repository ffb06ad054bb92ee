package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** n parked tasks are interrupted, clean up and are joined. */
final class Cancel {
    private final Threads threads;
    private final AtomicInteger parked = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private final List<Thread> tasks = new ArrayList<>();

    /** Returns when all n tasks wait. */
    private Cancel(int n, Threads threads) throws InterruptedException {
        this.threads = threads;
        for (int i = 0; i < n; i++) {
            int number = i;
            tasks.add(threads.tasks.start(i, () -> park(number)));
        }
        while (parked.get() < n) Thread.sleep(1);
        Thread.sleep(1); // in which those that only gave way go on
    }

    private void park(int i) {
        threads.trace.run(i);
        try {
            parked.incrementAndGet();
            new CountDownLatch(1).await(); // its own: an interrupt searches the queue of those that wait there
            throw new IllegalStateException("task " + i + " ran past its wait");
        } catch (InterruptedException _) {
            // the interrupt is the request, and the task ends
        } finally {
            cleaned.incrementAndGet();
            threads.trace.done(i);
        }
    }

    private Outcome cancel() throws InterruptedException {
        int waited = tasks.size() - cleaned.get();
        for (var task : tasks) task.interrupt();
        int finished = 0;
        for (var task : tasks) {
            task.join();
            finished++;
        }
        return Outcome.of(finished, "created", waited, "cancelled", cleaned.get(), "finished", finished);
    }

    static void main(String[] words) {
        Threads.run(words, "cancel", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.program.hold("base", 0);
            threads.repeat(() -> new Cancel(n, threads), Cancel::cancel);
            threads.program.hold("released", 0);
        });
    }
}
