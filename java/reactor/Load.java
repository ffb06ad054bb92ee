package reactor;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Tasks that do nothing but yield until they are told to end. */
final class Load {
    private final int k;
    private final Monos monos;
    private final AtomicInteger active = new AtomicInteger(); // those that have yielded and not ended
    private volatile boolean ended;

    Load(int k, Monos monos) {
        this.k = k;
        this.monos = monos;
    }

    /** Runs the tasks, numbered from 0 on, to their end; each returns how often it yielded. */
    Mono<Tasks.Results<Long>> run() {
        return monos.tasks.gather(0, k, i -> monos.tasks.task(i, yields()));
    }

    private Mono<Long> yields() {
        var turn = monos.tasks.turn;
        return turn.doOnNext(_ -> active.incrementAndGet())
                .then(turn.repeat(() -> !ended).count())
                .map(others -> 1 + others)
                .doOnNext(_ -> active.decrementAndGet());
    }

    /** Completes when all have yielded. */
    Mono<Void> running() {
        return monos.until(() -> active() == k);
    }

    int active() {
        return active.get();
    }

    void end() {
        ended = true;
    }
}
