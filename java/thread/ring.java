package thread;

import java.util.List;

/** k tasks, each waiting at a bounded queue of one, pass a token round. */
final class Ring {
    private Ring() {}

    static void main(String[] words) {
        Threads.run(words, "ring", List.of("k", "rounds"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int rounds = threads.arguments.integer("rounds", 1);
            threads.repeat(() -> new Circle(k, rounds, Box::queue, threads), circle -> circle.pass(threads.nonce()));
        });
    }
}
