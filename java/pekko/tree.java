package pekko;

import harness.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor for a range of leaves starts ten for the tenths of it, down to an actor for each leaf. */
final class Tree {
    private static final int CHILDREN = 10;

    /** What a node tells its parent: how many tasks were joined in it, itself included, and the sum of its leaves. */
    private record Grown(int task, int tasks, long sum) {}

    private final Actors actors;
    private final AtomicInteger numbers = new AtomicInteger();

    private Tree(Actors actors) {
        this.actors = actors;
    }

    /** Nobody asks for numbers without a trace, and a counter that all share would be timed. */
    private void start(int first, int leaves, ActorContext<Grown> context) {
        int task = actors.events.on() ? numbers.getAndIncrement() : 0;
        actors.events.spawn(task, node(task, first, leaves, context.getSelf()), context);
    }

    private Behavior<Grown> node(int task, int first, int leaves, ActorRef<Grown> parent) {
        return Behaviors.setup(context -> {
            actors.events.add("run", task, context);
            if (leaves == 1) return end(new Grown(task, 1, first), parent, context);
            int share = leaves / CHILDREN;
            for (int i = 0; i < CHILDREN; i++) start(first + i * share, share, context);
            return join(task, parent, context);
        });
    }

    private Behavior<Grown> join(int task, ActorRef<Grown> parent, ActorContext<Grown> context) {
        var joined = new Object() {
            int children;
            int tasks = 1;
            long sum;
        };
        return Behaviors.receiveMessage(child -> {
            actors.events.add("collect", child.task, context);
            joined.tasks += child.tasks;
            joined.sum += child.sum;
            if (++joined.children < CHILDREN) return Behaviors.same();
            return end(new Grown(task, joined.tasks, joined.sum), parent, context);
        });
    }

    private Behavior<Grown> end(Grown grown, ActorRef<Grown> parent, ActorContext<Grown> context) {
        actors.events.add("done", grown.task, context);
        parent.tell(grown);
        return Behaviors.stopped();
    }

    private Behavior<Grown> root(int n) {
        return Behaviors.setup(context -> {
            int nonce = actors.nonce();
            actors.start();
            start(nonce, n, context);
            return Behaviors.receiveMessage(all -> {
                actors.events.add("collect", all.task, context);
                return actors.stop(Outcome.of(all.tasks, "finished", all.tasks, "checksum", all.sum));
            });
        });
    }

    static void main(String[] words) {
        Actors.run(words, "tree", List.of("n"), actors -> {
            int n = actors.arguments.integer("n", 1);
            actors.repeat(() -> new Tree(actors).root(n));
        });
    }
}
