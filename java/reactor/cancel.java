package reactor;

import harness.Outcome;
import java.util.List;
import reactor.core.publisher.Mono;

/** n parked tasks are cancelled, clean up and are joined. */
final class Cancel {
    private Cancel() {}

    private static Mono<Outcome> cancel(Crowd crowd) {
        return crowd.cancel()
                .map(ended -> Outcome.of(
                        ended.finished(), "created", ended.created(), "cancelled", ended.cancelled(), "finished", ended.finished()));
    }

    static void main(String[] words) {
        Monos.run(words, "cancel", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            return monos.hold("base", () -> 0)
                    .then(monos.repeat(() -> Crowd.park(n, 0, monos).flatMap(crowd -> monos.timed(() -> cancel(crowd)))))
                    .then(monos.hold("released", () -> 0));
        });
    }
}
