package thread;

import java.util.concurrent.ArrayBlockingQueue;

/** Where a task's token comes from, and where others put it. */
record Box(Source source, Sink sink) {
    /** Waits for a token. */
    @FunctionalInterface
    interface Source {
        int take() throws InterruptedException;
    }

    /** Waits for room. */
    @FunctionalInterface
    interface Sink {
        void put(int token) throws InterruptedException;
    }

    /** The library's bounded queue, with room for one. */
    static Box queue() {
        var queue = new ArrayBlockingQueue<Integer>(1);
        return new Box(queue::take, queue::put);
    }

    static Box mailbox() {
        var mailbox = new Mailbox();
        return new Box(mailbox::take, mailbox::put);
    }
}
