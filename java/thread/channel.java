package thread;

import harness.Outcome;
import harness.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;

/** Several producers send to several consumers, which share one bounded queue. */
final class Channel {
    private static final int END = -1; // in place of a message, which is no negative number: queues can't be closed

    private record Received(int messages, long sum) {}

    /** The number of messages sent, the first of which is `first`. */
    private static int produce(int task, int first, int m, BlockingQueue<Integer> queue, Trace trace) throws InterruptedException {
        int sent = 0;
        for (; sent < m; sent++) {
            queue.put(first + sent);
            trace.run(task);
        }
        return sent;
    }

    private static Received consume(int task, BlockingQueue<Integer> queue, Trace trace) throws InterruptedException {
        int received = 0;
        long sum = 0;
        for (int message = queue.take(); message != END; message = queue.take()) {
            trace.run(task);
            received++;
            sum += message;
        }
        return new Received(received, sum);
    }

    private static Outcome pass(int p, int c, int room, int m, Threads threads) throws Exception {
        int nonce = threads.nonce();
        var queue = new ArrayBlockingQueue<Integer>(room);
        var producers = new ArrayList<Future<Integer>>(p);
        for (int i = 0; i < p; i++) {
            int number = i;
            producers.add(threads.tasks.submit(i, () -> produce(number, nonce + number * m, m, queue, threads.trace)));
        }
        var consumers = new ArrayList<Future<Received>>(c);
        for (int i = p; i < p + c; i++) {
            int number = i;
            consumers.add(threads.tasks.submit(i, () -> consume(number, queue, threads.trace)));
        }
        int finished = 0;
        for (var producer : producers) {
            producer.get();
            finished++;
        }
        for (int i = 0; i < c; i++) queue.put(END);
        int messages = 0;
        int most = 0;
        long checksum = 0;
        for (var consumer : consumers) {
            Received received = consumer.get();
            messages += received.messages;
            most = Math.max(most, received.messages);
            checksum += received.sum;
            finished++;
        }
        return Outcome.of(messages, "finished", finished, "messages", messages, "most", most, "checksum", checksum);
    }

    static void main(String[] words) {
        Threads.run(words, "channel", List.of("p", "c", "b", "m"), threads -> {
            int p = threads.arguments.integer("p", 1);
            int c = threads.arguments.integer("c", 1);
            int room = threads.arguments.integer("b", 1);
            int m = threads.arguments.integer("m", 1);
            threads.repeat(() -> pass(p, c, room, m, threads));
        });
    }
}
