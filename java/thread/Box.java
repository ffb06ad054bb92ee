package thread;

import java.util.concurrent.ArrayBlockingQueue;

/** Where a task's token comes from, and where others put it. */
public record Box(Source source, Sink sink) {
    /** Waits for a token. */
    @FunctionalInterface
    public interface Source {
        int take() throws InterruptedException;
    }

    /** Waits for room. */
    @FunctionalInterface
    public interface Sink {
        void put(int token) throws InterruptedException;
    }

    /** The library's bounded queue, with room for one. */
    static Box queue() {
        var queue = new ArrayBlockingQueue<Integer>(1);
        return new Box(queue::take, queue::put);
    }
}
