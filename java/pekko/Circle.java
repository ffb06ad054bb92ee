package pekko;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** The root of ring, and of hand-off, which is a ring of two: each task tells the token to the next. */
final class Circle extends AbstractBehavior<Circle.Message> {
    /** What the root is told: that a task waits, how often it had the token, and the token in the end. */
    sealed interface Message {
        // what players tell
    }

    enum Ready implements Message {
        READY
    }

    record Played(int times) implements Message {}

    record Last(int token) implements Message {}

    private final int k;
    private final Actors actors;
    private final List<ActorRef<Player.Message>> players = new ArrayList<>();
    private int ready;
    private int finished;
    private int messages;
    private int last = -1;

    private Circle(int k, int rounds, Actors actors, ActorContext<Message> context) {
        super(context);
        this.k = k;
        this.actors = actors;
        for (int i = 0; i < k; i++) {
            players.add(actors.events.spawn(i, Player.of(i, rounds, context.getSelf(), actors.events), context));
        }
        for (int i = 0; i < k; i++) players.get(i).tell(new Player.Next(players.get((i + 1) % k)));
    }

    static Behavior<Message> of(int k, int rounds, Actors actors) {
        return Behaviors.setup(context -> new Circle(k, rounds, actors, context));
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Ready.class, _ -> begin())
                .onMessage(Played.class, this::count)
                .onMessage(Last.class, this::keep)
                .build();
    }

    private Behavior<Message> begin() {
        if (++ready < k) return this;
        int nonce = actors.nonce();
        actors.start();
        players.getFirst().tell(new Player.Token(nonce));
        return this;
    }

    private Behavior<Message> count(Played played) {
        finished++;
        messages += played.times;
        return end();
    }

    private Behavior<Message> keep(Last told) {
        last = told.token;
        return end();
    }

    private Behavior<Message> end() {
        if (finished < k || last < 0) return this;
        return actors.stop(Outcome.of(messages, "finished", finished, "messages", messages, "checksum", last));
    }
}
