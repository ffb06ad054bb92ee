package reactor;

import harness.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

/**
 * Parks n tasks, numbered from the nonce on, and holds the process still before, while and after they live. The gate is a sink for each: one
 * at which many wait copies its array of all of them whenever another comes.
 */
final class Parking {
    /** What task i does: it waits at the gate once, and returns i. */
    @FunctionalInterface
    interface Body {
        Mono<Integer> run(int i, Parking gate);
    }

    private final int n;
    private final int first;
    private final Monos monos;
    private final AtomicInteger parked = new AtomicInteger();
    private List<Sinks.One<Boolean>> gates;
    private int created;
    private int finished;
    private long checksum;

    private Parking(int n, Monos monos) {
        this.n = n;
        first = monos.nonce();
        this.monos = monos;
        gates = new ArrayList<>(Collections.nCopies(n, null));
    }

    /** The whole program of a memory workload. */
    static void run(String[] words, String workload, Body body) {
        Monos.run(words, workload, List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.timed(() -> new Parking(n, monos).measure(body)).then();
        });
    }

    /** Parks task i until the gate is opened; it goes on in a turn of its own and emits the result. One operator does all that comes after. */
    Mono<Integer> await(int i, IntSupplier result) {
        return monos.tasks
                .before("park", i, Mono.defer(() -> {
                    Sinks.One<Boolean> gate = Sinks.one();
                    gates.set(i - first, gate);
                    parked.incrementAndGet();
                    return gate.asMono();
                }))
                .publishOn(monos.tasks.scheduler)
                .map(_ -> {
                    parked.decrementAndGet();
                    return result.getAsInt();
                });
    }

    private Mono<Outcome> measure(Body body) {
        var tasks = monos.tasks.gather(first, n, i -> monos.tasks.task(i, body.run(i, this))).doOnNext(this::join);
        var root = monos.until(() -> parked.get() == n)
                .then(hold("live"))
                .then(collected("live-collected"))
                .then(Mono.fromRunnable(this::open));
        return hold("base")
                .then(Mono.when(tasks, root))
                .then(hold("released"))
                .then(collected("released-collected"))
                .then(Mono.fromSupplier(() -> Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum)));
    }

    private void open() {
        for (var gate : gates) gate.emitValue(true, EmitFailureHandler.FAIL_FAST);
        gates = null;
    }

    private void join(Tasks.Results<Integer> results) {
        created = results.created();
        finished = results.finished();
        checksum = results.sum(Integer::longValue);
    }

    private Mono<Void> collected(String point) {
        return Mono.fromRunnable(System::gc).then(hold(point));
    }

    private Mono<Void> hold(String point) {
        return monos.hold(point, parked::get);
    }
}
