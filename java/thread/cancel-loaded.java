package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** n parked tasks are interrupted, clean up and are joined while k others yield. */
final class CancelLoaded {
    private final Threads threads;
    private final CountDownLatch arrived;
    private final AtomicInteger active = new AtomicInteger(); // those that have yielded and not ended
    private final List<Thread> load = new ArrayList<>();
    private final Crowd crowd;
    private volatile boolean ended;

    /** Returns when the tasks of the load have yielded and the n wait. */
    private CancelLoaded(int n, int k, Threads threads) throws InterruptedException {
        this.threads = threads;
        arrived = new CountDownLatch(k);
        for (int i = 0; i < k; i++) {
            int number = i;
            load.add(threads.tasks.start(i, () -> yields(number)));
        }
        crowd = new Crowd(n, k, threads);
        arrived.await();
    }

    private void yields(int i) {
        threads.trace.run(i);
        Thread.yield();
        active.incrementAndGet();
        arrived.countDown();
        while (!ended) Thread.yield();
        active.decrementAndGet();
        threads.trace.done(i);
    }

    private Outcome cancel() throws InterruptedException {
        var cancelled = crowd.cancel();
        return Outcome.of(
                cancelled.finished(),
                "created", cancelled.created(),
                "cancelled", cancelled.cancelled(),
                "finished", cancelled.finished(),
                "active", active.get());
    }

    /** Ends the load. */
    private void stop() throws InterruptedException {
        ended = true;
        for (var task : load) task.join();
    }

    static void main(String[] words) {
        Threads.run(words, "cancel-loaded", List.of("n", "k"), threads -> {
            int n = threads.arguments.integer("n", 1);
            int k = threads.arguments.integer("k", 1);
            threads.repeat(() -> new CancelLoaded(n, k, threads), CancelLoaded::cancel, CancelLoaded::stop);
        });
    }
}
