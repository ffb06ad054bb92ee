package thread;

import harness.KernelThread;
import harness.Outcome;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/** A thread of the operating system and a task pass a token to and fro, m times each, through the library's bounded queues of one. */
final class WakeThread {
    private final int m;
    private final Threads threads;
    private final List<Box> boxes = List.of(Box.queue(), Box.queue());
    private final List<Thread> players;
    private final CountDownLatch arrived = new CountDownLatch(2);
    private final int[] received = new int[2]; // by each, when it has ended
    private final int[] kernelThreads = new int[2]; // on which each ended

    /** Returns when both are about to wait for the token. */
    private WakeThread(int m, Threads threads) throws InterruptedException {
        this.m = m;
        this.threads = threads;
        players = List.of(threads.tasks.startPlain(0, () -> play(0)), threads.tasks.start(1, () -> play(1)));
        arrived.await();
    }

    private void play(int i) {
        arrived.countDown();
        try {
            received[i] = Player.play(i, boxes.get(i).source(), boxes.get(1 - i).sink(), m, threads.trace);
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException("nobody interrupts a player", interrupt);
        }
        kernelThreads[i] = KernelThread.id();
        threads.trace.done(i);
    }

    private Outcome pass() throws InterruptedException {
        boxes.getFirst().sink().put(threads.nonce());
        int finished = 0;
        int messages = 0;
        Set<Integer> distinct = new TreeSet<>();
        for (int i = 0; i < 2; i++) {
            players.get(i).join();
            messages += received[i];
            distinct.add(kernelThreads[i]);
            finished++;
        }
        int token = boxes.getFirst().source().take(); // the task gave it once more than the thread took it
        return Outcome.of(received[1], "finished", finished, "messages", messages, "threads", distinct.size(), "checksum", token);
    }

    static void main(String[] words) {
        Threads.run(words, "wake-thread", List.of("m"), threads -> {
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> new WakeThread(m, threads), WakeThread::pass);
        });
    }
}
