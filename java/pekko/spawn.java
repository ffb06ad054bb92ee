package pekko;

import harness.Outcome;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Starts n actors, numbered from the nonce on, then collects and sums what they tell. */
final class Spawn {
    private static Behavior<Void> task(int i, ActorRef<Result> root, Events events) {
        return Behaviors.setup(context -> {
            events.add("run", i, context);
            events.add("done", i, context);
            root.tell(new Result(i, i));
            return Behaviors.stopped();
        });
    }

    static Behavior<Result> spawn(int n, Actors actors) {
        return Behaviors.setup(context -> {
            int first = actors.nonce();
            actors.start();
            int created = 0;
            for (int i = first; i < first + n; i++) {
                actors.events.spawn(i, task(i, context.getSelf(), actors.events), context);
                created++;
            }
            return collect(n, created, context, actors);
        });
    }

    private static Behavior<Result> collect(int n, int created, ActorContext<Result> context, Actors actors) {
        var sum = new Object() {
            int finished;
            long total;
        };
        return Behaviors.receiveMessage(result -> {
            actors.events.add("collect", result.number(), context);
            sum.total += result.value();
            if (++sum.finished < n) return Behaviors.same();
            return actors.stop(Outcome.of(n, "created", created, "finished", sum.finished, "checksum", sum.total));
        });
    }

    static void main(String[] words) {
        Actors.run(words, "spawn", List.of("n"), actors -> {
            int n = actors.arguments.integer("n", 1);
            actors.repeat(() -> spawn(n, actors));
        });
    }
}
