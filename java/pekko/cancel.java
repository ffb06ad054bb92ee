package pekko;

import harness.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** n idle actors are stopped by their parent, clean up and are joined: it watches each of them. */
final class Cancel extends AbstractBehavior<Cancel.Look> {
    /** The root looks whether all tasks have started. */
    enum Look {
        LOOK
    }

    private final int n;
    private final Actors actors;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger cleaned = new AtomicInteger();
    private final List<ActorRef<Void>> tasks = new ArrayList<>();
    private boolean seen;
    private int created;
    private int finished;

    private Cancel(int n, Actors actors, ActorContext<Look> context) {
        super(context);
        this.n = n;
        this.actors = actors;
        for (int i = 0; i < n; i++) {
            ActorRef<Void> task = actors.events.spawn(i, task(i), context);
            context.watch(task);
            tasks.add(task);
        }
        look();
    }

    static Behavior<Look> of(int n, Actors actors) {
        return Behaviors.setup(context -> new Cancel(n, actors, context));
    }

    private Behavior<Void> task(int i) {
        return Behaviors.setup(context -> {
            actors.events.add("run", i, context);
            waiting.incrementAndGet();
            return Behaviors.receive(Void.class)
                    .onSignal(PostStop.class, _ -> {
                        cleaned.incrementAndGet();
                        actors.events.add("done", i, context);
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private void look() {
        getContext().scheduleOnce(Duration.ofMillis(1), getContext().getSelf(), Look.LOOK);
    }

    @Override
    public Receive<Look> createReceive() {
        return newReceiveBuilder()
                .onMessage(Look.class, _ -> stopAll())
                .onSignal(Terminated.class, _ -> join())
                .build();
    }

    /** Once all have been seen to wait, they have one more turn in which they might go on. */
    private Behavior<Look> stopAll() {
        if (waiting.get() < n || !seen) {
            seen = waiting.get() == n;
            look();
            return this;
        }
        created = waiting.get() - cleaned.get();
        actors.start();
        for (var task : tasks) getContext().stop(task);
        return this;
    }

    private Behavior<Look> join() {
        if (++finished < n) return this;
        return actors.stop(Outcome.of(finished, "created", created, "cancelled", cleaned.get(), "finished", finished));
    }

    static void main(String[] words) {
        Actors.run(words, "cancel", List.of("n"), actors -> {
            int n = actors.arguments.integer("n", 1);
            actors.program.hold("base", 0);
            actors.repeat(() -> of(n, actors));
            actors.program.hold("released", 0);
        });
    }
}
