package pekko;

import harness.Calls;
import java.util.List;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Calls a plain method n times and sums what it returns: the language without tasks. */
final class Baseline {
    private static Behavior<Void> call(int n, Actors actors) {
        return Behaviors.setup(_ -> {
            actors.start();
            return actors.stop(Calls.call(n, actors.nonce()));
        });
    }

    static void main(String[] words) {
        Actors.run(words, "baseline", List.of("n"), actors -> {
            int n = actors.arguments.integer("n", 1);
            actors.repeat(() -> call(n, actors));
        });
    }
}
