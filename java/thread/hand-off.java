package thread;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Two tasks pass a token to and fro, m times each, through bounded queues of one: the library's, unless the variant says otherwise. */
final class HandOff {
    private HandOff() {}

    static void main(String[] words) {
        Threads.run(words, "hand-off", List.of("m"), Set.of("limit"), threads -> {
            int m = threads.arguments.integer("m", 1);
            Supplier<Box> box = threads.arguments.flag("limit") ? Box::mailbox : Box::queue;
            threads.repeat(() -> new Circle(2, m, box, threads), Circle::pass);
        });
    }
}
