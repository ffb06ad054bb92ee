package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tasks that wait for a token, each at a box, and pass it round: those of ring, and of hand-off, which are two. */
public final class Circle {
    private final List<Box> boxes;
    private final List<Future<Integer>> players = new ArrayList<>();

    /** Returns when all k tasks are about to wait for the token. */
    public Circle(int k, int rounds, Supplier<Box> box, Threads threads) throws InterruptedException {
        boxes = Stream.generate(box).limit(k).toList();
        var arrived = new CountDownLatch(k);
        for (int i = 0; i < k; i++) {
            int number = i;
            var inbox = boxes.get(i).source();
            var outbox = boxes.get((i + 1) % k).sink();
            players.add(threads.tasks.submitResuming(i, () -> {
                arrived.countDown();
                return Player.play(number, inbox, outbox, rounds, threads.trace);
            }));
        }
        arrived.await();
    }

    /** Gives the first task the token, which holds this number, and waits until it has been passed round. */
    public Outcome pass(int nonce) throws Exception {
        boxes.getFirst().sink().put(nonce);
        int finished = 0;
        int messages = 0;
        for (var player : players) {
            messages += player.get();
            finished++;
        }
        int token = boxes.getFirst().source().take(); // the last task sent it once more than task 0 took it
        return Outcome.of(messages, "finished", finished, "messages", messages, "checksum", token);
    }
}
