package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Future;

/** Two tasks pass a token to and fro, m times each, through bounded queues of one. */
final class HandOff {
    static Outcome alternate(int m, Threads threads) throws Exception {
        var boxes = List.of(new ArrayBlockingQueue<Integer>(1), new ArrayBlockingQueue<Integer>(1));
        var tasks = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            tasks.add(
                    threads.tasks.submitResuming(
                            i, () -> Player.play(number, boxes.get(number), boxes.get(1 - number), m, threads.trace)));
        }
        boxes.getFirst().put(0);
        int finished = 0;
        int messages = 0;
        for (var task : tasks) {
            messages += task.get();
            finished++;
        }
        int token = boxes.getFirst().take(); // task 1 sent it once more than task 0 took it
        return Outcome.of(messages, "finished", finished, "messages", messages, "checksum", token);
    }

    static void main(String[] words) {
        Threads.run(words, "hand-off", List.of("m"), threads -> {
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> alternate(m, threads));
        });
    }
}
