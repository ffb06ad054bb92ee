package reactor;

import harness.KernelThread;
import harness.Outcome;
import harness.Program;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A thread of the operating system and a task pass a token to and fro, m times each: one waits at a bounded queue, the other at a sink. */
final class WakeThread {
    private final int m;
    private final Monos monos;
    private final BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    private final Sinks.Many<Integer> sink = Circle.newInbox();
    private final AtomicInteger arrived = new AtomicInteger();
    private final int[] received = new int[2];
    private final int[] kernelThreads = new int[2]; // on which each ended
    private int finished;

    private WakeThread(int m, Monos monos) {
        this.m = m;
        this.monos = monos;
    }

    /** What the thread does. */
    private void play() {
        arrived.incrementAndGet();
        try {
            while (received[0] < m) {
                int token = queue.take();
                monos.tasks.addOfThread("run", 0);
                received[0]++;
                sink.emitNext(token + 1, Circle.UNTIL_FREE);
            }
        } catch (InterruptedException interrupt) {
            Program.fail(interrupt);
        }
        kernelThreads[0] = KernelThread.id();
        monos.tasks.addOfThread("done", 0);
    }

    /** What the task does. The queue is empty whenever it has the token. */
    private Mono<Void> answer() {
        var tokens = monos.tasks.resuming(1, sink.asFlux().publishOn(monos.tasks.scheduler));
        return Mono.defer(() -> {
            arrived.incrementAndGet();
            return tokens.take(m)
                    .doOnNext(token -> {
                        received[1]++;
                        queue.add(token + 1);
                    })
                    .then(Mono.fromRunnable(() -> kernelThreads[1] = KernelThread.id()));
        });
    }

    /** Passes the token once both wait for it: the clock runs from there. */
    private Mono<Outcome> pass() {
        return monos.tasks.startThread(0, this::play).flatMap(thread -> {
            var token = monos.until(() -> arrived.get() == 2).then(Mono.fromRunnable(this::give));
            var task = monos.tasks.resumingTask(1, answer()).doOnSuccess(_ -> finished++);
            return Mono.when(task, token)
                    .then(Mono.fromCallable(() -> end(thread)))
                    .doOnNext(monos.program.laps::stop);
        });
    }

    private void give() {
        monos.program.laps.start();
        queue.add(monos.nonce());
    }

    /** The thread has sent its last token before the task has ended. */
    private Outcome end(Thread thread) throws InterruptedException {
        thread.join();
        finished++;
        long threads = Arrays.stream(kernelThreads).distinct().count();
        int token = queue.remove(); // the task gave it once more than the thread took it
        int messages = received[0] + received[1];
        return Outcome.of(received[1], "finished", finished, "messages", messages, "threads", threads, "checksum", token);
    }

    static void main(String[] words) {
        Monos.run(words, "wake-thread", List.of("m"), monos -> {
            int m = monos.arguments.integer("m", 1);
            return monos.repeat(() -> new WakeThread(m, monos).pass());
        });
    }
}
