package thread;

import harness.Outcome;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.atomic.AtomicInteger;

/** Scopes of n children, of which one fails; the others are interrupted for it, and the error comes to the one who waits for all. */
final class Scope {
    /** The error of a child; its value tells which. */
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        final int value;

        Failure(int value) {
            super("failed with " + value);
            this.value = value;
        }
    }

    private final Threads threads;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private int created;
    private int failed;
    private long checksum;

    private Scope(Threads threads) {
        this.threads = threads;
    }

    /** Waits for what never comes. */
    private Void park(int task, CountDownLatch arrived) throws InterruptedException {
        threads.trace.run(task);
        try {
            arrived.countDown();
            new CountDownLatch(1).await(); // its own: an interrupt searches the queue of those that wait there
            throw new IllegalStateException("task " + task + " ran past its wait");
        } catch (InterruptedException interrupt) {
            cancelled.incrementAndGet();
            throw interrupt;
        } finally {
            cleaned.incrementAndGet();
            threads.trace.done(task);
        }
    }

    /** Waits until its siblings wait. */
    private Void fail(int task, int value, CountDownLatch arrived) throws InterruptedException, Failure {
        threads.trace.run(task);
        arrived.await();
        threads.trace.fail(task);
        throw new Failure(value);
    }

    /** Starts n children, numbered from `first` on, and throws the error of the first that fails, once all have ended. */
    private void open(int first, int n, int value) throws InterruptedException, ExecutionException {
        var arrived = new CountDownLatch(n - 1);
        int last = first + n - 1;
        try (var executor = threads.tasks.newExecutor()) {
            var children = new ExecutorCompletionService<Void>(executor);
            for (int i = first; i <= last; i++) {
                int task = i;
                threads.trace.spawn(i);
                children.submit(i < last ? () -> park(task, arrived) : () -> fail(task, value, arrived));
                threads.trace.spawned(i);
                created++;
            }
            try {
                for (int i = 0; i < n; i++) children.take().get();
            } finally {
                executor.shutdownNow();
            }
        }
    }

    private Outcome measure(int n, int m) throws Exception {
        for (int i = 0; i < m; i++) {
            threads.trace.open(i);
            try {
                open(i * n, n, threads.nonce() + i);
            } catch (ExecutionException error) {
                if (!(error.getCause() instanceof Failure failure)) throw error;
                failed++;
                checksum += failure.value;
            }
            threads.trace.close(i);
        }
        return Outcome.of(
                cleaned.get() + failed,
                "created", created,
                "failed", failed,
                "cancelled", cancelled.get(),
                "cleaned", cleaned.get(),
                "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "scope", List.of("n", "m"), threads -> {
            int n = threads.arguments.integer("n", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new Scope(threads).measure(n, m));
        });
    }
}
