package reactor;

import harness.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A root that has slept starts n tasks at once, burst after burst; each tells when it first ran. */
final class Burst {
    private final int n;
    private final int first;
    private final Monos monos;
    private final long[] starts; // ns from the beginning of its burst to a task's first run
    private int created;
    private int finished;
    private long checksum;
    private long last;

    /** Tasks are numbered from the nonce on, over all bursts. */
    private Burst(int n, int bursts, Monos monos) {
        this.n = n;
        first = monos.nonce();
        this.monos = monos;
        starts = new long[n * bursts];
    }

    /** A task's body. */
    private int run(int number, long began) {
        starts[number - first] = System.nanoTime() - began;
        return number;
    }

    private Mono<Void> burst(int from) {
        return Mono.defer(() -> {
            var tasks = monos.tasks;
            long began = System.nanoTime();
            var all = tasks.gather(from, n, i -> tasks.task(i, Mono.fromCallable(() -> run(i, began))));
            return tasks.collecting(all).doOnNext(results -> add(from, results)).then();
        });
    }

    private void add(int from, Tasks.Results<Integer> results) {
        created += results.created();
        finished += results.finished();
        checksum += results.sum(Integer::longValue);
        last += Arrays.stream(starts, from - first, from - first + n).max().orElseThrow();
    }

    private Mono<Outcome> measure(int bursts, int idle) {
        return Flux.range(0, bursts)
                .concatMap(i -> Mono.delay(Duration.ofMillis(idle)).then(burst(first + i * n)))
                .then(Mono.fromSupplier(() -> Outcome.of(
                        finished, "created", created, "finished", finished, "checksum", checksum, "last_ns", last)));
    }

    static void main(String[] words) {
        Monos.run(words, "burst", List.of("n", "bursts", "idle_ms"), monos -> {
            int n = monos.arguments.integer("n", 1);
            int bursts = monos.arguments.integer("bursts", 1);
            int idle = monos.arguments.integer("idle_ms", 0);
            var burst = new Burst(n, bursts, monos);
            return monos.timed(() -> burst.measure(bursts, idle)).doOnNext(_ -> monos.program.series("start", burst.starts)).then();
        });
    }
}
