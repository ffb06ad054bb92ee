package thread;

import harness.Trace;

/** The task of hand-off and ring. */
final class Player {
    private Player() {}

    /** Takes the token, adds one and passes it on, `rounds` times; returns how often it had it. */
    static int play(int i, Box.Source inbox, Box.Sink outbox, int rounds, Trace trace)
            throws InterruptedException {
        int received = 0;
        while (received < rounds) {
            int token = inbox.take();
            trace.run(i);
            received++;
            outbox.put(token + 1);
        }
        return received;
    }
}
