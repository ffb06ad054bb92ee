package pekko;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** The task of hand-off and ring: takes the token, adds one and tells it to the next, `rounds` times. */
final class Player extends AbstractBehavior<Player.Message> {
    /** What a player is told: who is next, then tokens. */
    sealed interface Message {
        // the next player, then tokens
    }

    record Next(ActorRef<Message> player) implements Message {}

    record Token(int value) implements Message {}

    private final int number;
    private final int rounds;
    private final ActorRef<Circle.Message> root;
    private final Events events;
    private ActorRef<Message> next;
    private int received;

    private Player(int number, int rounds, ActorRef<Circle.Message> root, Events events, ActorContext<Message> context) {
        super(context);
        this.number = number;
        this.rounds = rounds;
        this.root = root;
        this.events = events;
    }

    static Behavior<Message> of(int number, int rounds, ActorRef<Circle.Message> root, Events events) {
        return Behaviors.setup(context -> new Player(number, rounds, root, events, context));
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder().onMessage(Token.class, this::play).onMessage(Next.class, this::meet).build();
    }

    private Behavior<Message> meet(Next told) {
        next = told.player;
        root.tell(Circle.Ready.READY);
        return this;
    }

    private Behavior<Message> play(Token token) {
        if (received == rounds) { // the first task: the last token comes back to it, and it hands it to the root
            root.tell(new Circle.Last(token.value));
            return end();
        }
        events.add("run", number, getContext());
        received++;
        next.tell(new Token(token.value + 1));
        return received == rounds && number > 0 ? end() : this;
    }

    private Behavior<Message> end() {
        events.add("done", number, getContext());
        root.tell(new Circle.Played(received));
        return Behaviors.stopped();
    }
}
