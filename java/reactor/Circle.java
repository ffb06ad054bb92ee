package reactor;

import harness.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;
import reactor.core.publisher.Sinks.EmitResult;

/** Tasks that wait for a token, each at a sink, and pass it round: those of ring, and of hand-off, which are two. */
final class Circle {
    /** The root may still be inside of its own emission when the token has come round to the same sink. */
    static final EmitFailureHandler UNTIL_FREE = (_, result) -> result == EmitResult.FAIL_NON_SERIALIZED;

    /** Takes the token, adds one and passes it on, `rounds` times; the last task's last goes back to the root. */
    private final class Player {
        private final int number;
        private int received;

        Player(int number) {
            this.number = number;
        }

        /** Its task, which returns how often it had the token. */
        Mono<Integer> task() {
            // Without publishOn a player would run on the stack of whoever sends to it.
            var tokens = inboxes.get(number).asFlux().publishOn(monos.tasks.scheduler);
            var turns = monos.tasks.resuming(number, tokens).take(rounds).doOnNext(this::pass);
            return monos.tasks.resumingTask(number, Mono.defer(() -> {
                arrived.incrementAndGet();
                return turns.then(Mono.fromSupplier(() -> received));
            }));
        }

        private void pass(int token) {
            received++;
            if (received == rounds && number == k - 1) home.emitValue(token + 1, EmitFailureHandler.FAIL_FAST);
            else inboxes.get((number + 1) % k).emitNext(token + 1, UNTIL_FREE);
        }
    }

    private final int k;
    private final int rounds;
    private final Monos monos;
    private final List<Sinks.Many<Integer>> inboxes;
    private final Sinks.One<Integer> home = Sinks.one();
    private final AtomicInteger arrived = new AtomicInteger();

    private Circle(int k, int rounds, Monos monos) {
        this.k = k;
        this.rounds = rounds;
        this.monos = monos;
        inboxes = IntStream.range(0, k).mapToObj(_ -> newInbox()).toList();
    }

    static Sinks.Many<Integer> newInbox() {
        return Sinks.many().unicast().onBackpressureBuffer();
    }

    /** Passes the token round once all tasks wait for it: the clock runs from there. */
    static Mono<Outcome> pass(int k, int rounds, Monos monos) {
        return new Circle(k, rounds, monos).pass();
    }

    private Mono<Outcome> pass() {
        var players = monos.tasks.gather(0, k, i -> new Player(i).task());
        var token = monos.until(() -> arrived.get() == k).then(Mono.defer(this::give));
        return Mono.zip(players, token, this::end).doOnNext(monos.program.laps::stop);
    }

    private Mono<Integer> give() {
        monos.program.laps.start();
        inboxes.getFirst().emitNext(monos.nonce(), UNTIL_FREE);
        return home.asMono();
    }

    private Outcome end(Tasks.Results<Integer> players, int token) {
        long messages = players.sum(Integer::longValue);
        return Outcome.of(messages, "finished", players.finished(), "messages", messages, "checksum", token);
    }
}
