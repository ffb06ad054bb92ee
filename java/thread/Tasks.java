package thread;

import harness.Trace;
import harness.UsageException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts tasks, each a thread of its own of the kind that the variant names: virtual or platform. */
public final class Tasks {
    private final ThreadFactory factory;
    private final ExecutorService executor;
    private final Trace trace;
    private final AtomicInteger numbers = new AtomicInteger();

    Tasks(ThreadFactory factory, Trace trace) {
        this.factory = factory;
        this.trace = trace;
        executor = newExecutor();
    }

    /** The factory of the variant's threads; UsageException where the environment names no kind. */
    static ThreadFactory factory() {
        String kind = kind();
        return switch (kind) {
            case "virtual" -> Thread.ofVirtual().factory();
            case "platform" -> Thread.ofPlatform().factory();
            default -> throw new UsageException("COROBENCH_THREADS is \"" + kind + "\", not virtual or platform");
        };
    }

    static String kind() {
        return System.getenv().getOrDefault("COROBENCH_THREADS", "");
    }

    /** One more executor of such threads. Its close waits for all of its tasks. */
    ExecutorService newExecutor() {
        return Executors.newThreadPerTaskExecutor(factory);
    }

    /** Starts a task whose result is collected. */
    <T> Future<T> submit(int i, Callable<T> body) {
        trace.spawn(i);
        Future<T> running = executor.submit(trace.body(i, body));
        trace.spawned(i);
        return running;
    }

    /** The same for a task that records by itself when it is resumed. */
    <T> Future<T> submitResuming(int i, Callable<T> body) {
        trace.spawn(i);
        Future<T> running = executor.submit(trace.ends(i, body));
        trace.spawned(i);
        return running;
    }

    /** Starts a task that several may start, so that it has no number of its own but the next. */
    <T> Future<T> submitNext(Callable<T> body) {
        return submit(trace.on() ? numbers.getAndIncrement() : 0, body);
    }

    /** Starts a task that can be interrupted and joined. */
    public Thread start(int i, Runnable body) {
        return start(i, factory.newThread(body));
    }

    /** The same for a thread of the operating system, whatever the variant's kind. */
    Thread startPlain(int i, Runnable body) {
        return start(i, Thread.ofPlatform().unstarted(body));
    }

    private Thread start(int i, Thread thread) {
        trace.spawn(i);
        thread.start();
        trace.spawned(i);
        return thread;
    }
}
