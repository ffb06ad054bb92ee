package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

/** k tasks, each waiting at a bounded queue of one, pass a token round. */
final class Ring {
    private final List<ArrayBlockingQueue<Integer>> boxes = new ArrayList<>();
    private final List<Future<Integer>> players = new ArrayList<>();

    /** Returns when all tasks are about to wait for the token. */
    private Ring(int k, int rounds, Threads threads) throws InterruptedException {
        var arrived = new CountDownLatch(k);
        for (int i = 0; i < k; i++) boxes.add(new ArrayBlockingQueue<>(1));
        for (int i = 0; i < k; i++) {
            int number = i;
            players.add(threads.tasks.submitResuming(i, () -> {
                arrived.countDown();
                var next = boxes.get((number + 1) % k);
                return Player.play(number, boxes.get(number)::take, next::put, rounds, threads.trace);
            }));
        }
        arrived.await();
    }

    private Outcome pass() throws Exception {
        boxes.getFirst().put(0);
        int finished = 0;
        int messages = 0;
        for (var player : players) {
            messages += player.get();
            finished++;
        }
        int token = boxes.getFirst().take();
        return Outcome.of(messages, "finished", finished, "messages", messages, "checksum", token);
    }

    static void main(String[] words) {
        Threads.run(words, "ring", List.of("k", "rounds"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int rounds = threads.arguments.integer("rounds", 1);
            threads.repeat(() -> new Ring(k, rounds, threads), Ring::pass);
        });
    }
}
