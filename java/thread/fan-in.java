package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;

/** Several producers send to one consumer through a bounded queue. */
final class FanIn {
    private static final int ROOM = 128;

    private record Received(int messages, long sum) {}

    /** The number of messages sent; the value is one object for all of them. */
    private static int produce(Integer value, int m, BlockingQueue<Integer> queue) throws InterruptedException {
        int sent = 0;
        for (; sent < m; sent++) queue.put(value);
        return sent;
    }

    private static Received consume(int messages, BlockingQueue<Integer> queue) throws InterruptedException {
        int received = 0;
        long sum = 0;
        for (; received < messages; received++) sum += queue.take();
        return new Received(received, sum);
    }

    static Outcome send(int p, int m, int nonce, Threads threads) throws Exception {
        var queue = new ArrayBlockingQueue<Integer>(ROOM);
        var producers = new ArrayList<Future<Integer>>(p);
        for (int i = 0; i < p; i++) {
            int value = nonce + i + 1;
            producers.add(threads.tasks.submit(i, () -> produce(value, m, queue)));
        }
        var consumer = threads.tasks.submit(p, () -> consume(p * m, queue));
        int finished = 0;
        for (var producer : producers) {
            producer.get();
            finished++;
        }
        Received received = consumer.get();
        finished++;
        return Outcome.of(
                received.messages, "finished", finished, "messages", received.messages, "checksum", received.sum);
    }

    static void main(String[] words) {
        Threads.run(words, "fan-in", List.of("p", "m"), threads -> {
            int p = threads.arguments.integer("p", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> send(p, m, threads.nonce(), threads));
        });
    }
}
