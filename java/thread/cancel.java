package thread;

import harness.Outcome;
import java.util.List;

/** n parked tasks are interrupted, clean up and are joined. */
final class Cancel {
    private Cancel() {}

    private static Outcome cancel(Crowd crowd) throws InterruptedException {
        var ended = crowd.cancel();
        return Outcome.of(ended.finished(), "created", ended.created(), "cancelled", ended.cancelled(), "finished", ended.finished());
    }

    static void main(String[] words) {
        Threads.run(words, "cancel", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            threads.program.hold("base", 0);
            threads.repeat(() -> new Crowd(n, 0, threads), Cancel::cancel);
            threads.program.hold("released", 0);
        });
    }
}
