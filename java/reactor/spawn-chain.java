package reactor;

import harness.Outcome;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

/** Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only. */
final class SpawnChain {
    private final int first;
    private final int end;
    private final Tasks tasks;
    private final Sinks.Empty<Void> ended = Sinks.empty();
    // A task is put into the queue of its worker before it runs, so that these need no lock.
    private int finished;
    private long checksum;

    private SpawnChain(int n, Monos monos) {
        first = monos.nonce();
        end = first + n;
        tasks = monos.tasks;
    }

    /** The end of a task is recorded before it starts the next, because both may run at once. */
    private Mono<Void> link(int i) {
        return tasks.before("run", i, Mono.defer(() -> {
            checksum += i;
            finished++;
            return tasks.before("done", i, i + 1 < end ? tasks.start(i + 1, link(i + 1)).then() : tellRoot());
        }));
    }

    private Mono<Void> tellRoot() {
        return Mono.fromRunnable(() -> ended.emitEmpty(EmitFailureHandler.FAIL_FAST));
    }

    private Mono<Outcome> measure() {
        return tasks.start(first, link(first))
                .then(ended.asMono())
                .then(Mono.fromSupplier(() -> Outcome.of(finished, "finished", finished, "checksum", checksum)));
    }

    static void main(String[] words) {
        Monos.run(words, "spawn-chain", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.repeat(() -> monos.timed(() -> new SpawnChain(n, monos).measure()));
        });
    }
}
