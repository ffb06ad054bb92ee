package thread.limit;

import java.util.List;
import thread.Box;
import thread.Circle;
import thread.Threads;

/** Two tasks pass a token to and fro, m times each, through mailboxes of our own. */
final class HandOff {
    private HandOff() {}

    private static Box mailbox() {
        var mailbox = new Mailbox();
        return new Box(mailbox::take, mailbox::put);
    }

    static void main(String[] words) {
        Threads.run(words, "hand-off", List.of("m"), threads -> {
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new Circle(2, m, HandOff::mailbox, threads), circle -> circle.pass(threads.nonce()));
        });
    }
}
