package thread.limit;

import java.util.concurrent.locks.LockSupport;

/** A queue of one's own: room for one token, which is no negative one, and for the thread that is parked until it comes. There is one reader. */
final class Mailbox {
    private static final int EMPTY = -1;

    private volatile Thread reader;
    private volatile int token = EMPTY;

    void put(int given) {
        if (token != EMPTY) throw new IllegalStateException("a token lies in the mailbox already");
        token = given;
        LockSupport.unpark(reader);
    }

    int take() throws InterruptedException {
        reader = Thread.currentThread(); // before it looks: who puts a token in afterwards wakes it
        while (token == EMPTY) {
            LockSupport.park(this);
            if (Thread.interrupted()) throw new InterruptedException();
        }
        int taken = token;
        token = EMPTY;
        return taken;
    }
}
