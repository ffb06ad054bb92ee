package thread;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Parked tasks that are interrupted, clean up and are joined: those of cancel and of cancel-loaded. */
final class Crowd {
    /** What has become of them: those that waited, clean-ups, joins. */
    record Ended(int created, int cancelled, int finished) {}

    private final Threads threads;
    private final AtomicInteger cleaned = new AtomicInteger();
    private final List<Thread> tasks = new ArrayList<>();
    private int waiting;

    /** Starts n tasks, numbered from `first` on. Returns when all of them wait. */
    Crowd(int n, int first, Threads threads) {
        this.threads = threads;
        for (int i = first; i < first + n; i++) {
            int number = i;
            tasks.add(threads.tasks.start(i, () -> park(number)));
        }
        while (waiting < n) {
            Thread.yield(); // no sleep: beside a load that yields it may not end
            waiting = (int) tasks.stream().filter(task -> task.getState() == Thread.State.WAITING).count();
        }
    }

    private void park(int i) {
        threads.trace.run(i);
        try {
            new CountDownLatch(1).await(); // its own: an interrupt searches the queue of those that wait there
            throw new IllegalStateException("task " + i + " ran past its wait");
        } catch (InterruptedException _) {
            // the interrupt is the request, and the task ends
        } finally {
            cleaned.incrementAndGet();
            threads.trace.done(i);
        }
    }

    Ended cancel() throws InterruptedException {
        for (var task : tasks) task.interrupt();
        int finished = 0;
        for (var task : tasks) {
            task.join();
            finished++;
        }
        return new Ended(waiting, cleaned.get(), finished);
    }
}
