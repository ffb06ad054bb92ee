package pekko;

import harness.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** Parks n actors that hold nothing but their number, until they are told to go on. */
final class Memory extends AbstractBehavior<Memory.Message> {
    /** What the root is told: to look how far the tasks are, and what they return. */
    sealed interface Message {
        // looks and results
    }

    enum Look implements Message {
        LOOK
    }

    record Returned(int number) implements Message {}

    /** What a task waits for. */
    private enum Gate {
        OPEN
    }

    private final int n;
    private final Actors actors;
    private final AtomicInteger parked = new AtomicInteger();
    private List<ActorRef<Gate>> tasks = new ArrayList<>();
    private int created;
    private int finished;
    private long checksum;

    private Memory(int n, Actors actors, ActorContext<Message> context) {
        super(context);
        this.n = n;
        this.actors = actors;
        actors.start();
        hold("base");
        int first = actors.nonce();
        for (int i = first; i < first + n; i++) {
            tasks.add(actors.events.spawn(i, task(i), context));
            created++;
        }
        look();
    }

    private Behavior<Gate> task(int i) {
        ActorRef<Message> root = getContext().getSelf();
        return Behaviors.setup(context -> {
            actors.events.add("run", i, context);
            actors.events.add("park", i, context);
            parked.incrementAndGet();
            return Behaviors.receiveMessage(_ -> {
                parked.decrementAndGet();
                actors.events.add("done", i, context);
                root.tell(new Returned(i));
                return Behaviors.stopped();
            });
        });
    }

    private void look() {
        getContext().scheduleOnce(Duration.ofMillis(1), getContext().getSelf(), Look.LOOK);
    }

    private void hold(String point) {
        actors.hold(point, parked.get());
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder().onMessage(Returned.class, this::join).onMessage(Look.class, _ -> goOn()).build();
    }

    private Behavior<Message> join(Returned returned) {
        finished++;
        checksum += returned.number;
        return this;
    }

    /** Opens the gate when all wait at it, and ends when all have ended: an actor outlives the message that it ends with. */
    private Behavior<Message> goOn() {
        if (finished == 0 && parked.get() == n && tasks != null) {
            hold("live");
            System.gc();
            hold("live-collected");
            for (var task : tasks) task.tell(Gate.OPEN);
            tasks = null;
        } else if (finished == n && getContext().getChildren().isEmpty()) {
            hold("released");
            System.gc();
            hold("released-collected");
            return actors.stop(Outcome.of(finished, "created", created, "finished", finished, "checksum", checksum));
        }
        look();
        return this;
    }

    static void main(String[] words) {
        Actors.run(words, "memory", List.of("n"), actors -> {
            int n = actors.arguments.integer("n", 1);
            actors.once(Behaviors.<Message>setup(context -> new Memory(n, actors, context)));
        });
    }
}
