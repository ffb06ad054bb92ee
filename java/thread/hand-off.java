package thread;

import java.util.List;

/** Two tasks pass a token to and fro, m times each, through the library's bounded queues of one. */
final class HandOff {
    private HandOff() {}

    static void main(String[] words) {
        Threads.run(words, "hand-off", List.of("m"), threads -> {
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new Circle(2, m, Box::queue, threads), circle -> circle.pass(threads.nonce()));
        });
    }
}
