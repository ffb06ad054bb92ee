package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Two tasks pass a token to and fro, m times each, through bounded queues of one: the library's, unless the variant says otherwise. */
final class HandOff {
    static Outcome alternate(int m, Supplier<Box> box, Threads threads) throws Exception {
        var boxes = List.of(box.get(), box.get());
        var tasks = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            var inbox = boxes.get(i).source();
            var outbox = boxes.get(1 - i).sink();
            tasks.add(threads.tasks.submitResuming(i, () -> Player.play(number, inbox, outbox, m, threads.trace)));
        }
        boxes.getFirst().sink().put(0);
        int finished = 0;
        int messages = 0;
        for (var task : tasks) {
            messages += task.get();
            finished++;
        }
        int token = boxes.getFirst().source().take(); // task 1 sent it once more than task 0 took it
        return Outcome.of(messages, "finished", finished, "messages", messages, "checksum", token);
    }

    static void main(String[] words) {
        Threads.run(words, "hand-off", List.of("m"), Set.of("limit"), threads -> {
            int m = threads.arguments.integer("m", 1);
            Supplier<Box> box = threads.arguments.flag("limit") ? Box::mailbox : Box::queue;
            threads.repeat(() -> alternate(m, box, threads));
        });
    }
}
