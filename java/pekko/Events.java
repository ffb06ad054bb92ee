package pekko;

import harness.Trace;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/** Records who runs when. An actor's identity is its reference, whose path ends with a number that no other actor has. */
final class Events {
    private final Trace trace;

    Events(Trace trace) {
        this.trace = trace;
    }

    boolean on() {
        return trace.on();
    }

    void add(String kind, int task, ActorContext<?> context) {
        if (trace.on()) trace.add(kind, task, context.getSelf().toString());
    }

    /** Starts task i as a child of whoever has this context. */
    <M> ActorRef<M> spawn(int i, Behavior<M> task, ActorContext<?> context) {
        add("spawn", i, context);
        ActorRef<M> child = context.spawnAnonymous(task);
        add("spawned", i, context);
        return child;
    }
}
