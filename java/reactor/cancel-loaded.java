package reactor;

import harness.Outcome;
import java.util.List;
import reactor.core.publisher.Mono;

/** n parked tasks are cancelled, clean up and are joined while k others yield. */
final class CancelLoaded {
    private CancelLoaded() {}

    private static Mono<Outcome> cancel(Crowd crowd, Load load) {
        return crowd.cancel()
                .map(ended -> Outcome.of(
                        ended.finished(),
                        "created", ended.created(),
                        "cancelled", ended.cancelled(),
                        "finished", ended.finished(),
                        "active", load.active()));
    }

    private static Mono<Outcome> cancel(int n, int k, Monos monos) {
        var load = new Load(k, monos);
        var cancelled = Crowd.park(n, k, monos)
                .delayUntil(_ -> load.running())
                .flatMap(crowd -> monos.timed(() -> cancel(crowd, load)))
                .doOnNext(_ -> load.end());
        return Mono.zip(load.run(), cancelled, (_, outcome) -> outcome);
    }

    static void main(String[] words) {
        Monos.run(words, "cancel-loaded", List.of("n", "k"), monos -> {
            int n = monos.arguments.integer("n", 1);
            int k = monos.arguments.integer("k", 1);
            return monos.repeat(() -> cancel(n, k, monos));
        });
    }
}
