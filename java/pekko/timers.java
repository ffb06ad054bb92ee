package pekko;

import harness.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** n actors set a timer once, each until a deadline of its own within one second. */
final class Timers {
    private static final long SPREAD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private enum Alarm {
        RINGS
    }

    private static Behavior<Alarm> task(int i, long deadline, ActorRef<Result> root, Events events) {
        return Behaviors.withTimers(timers -> Behaviors.setup(context -> {
            events.add("run", i, context);
            timers.startSingleTimer(Alarm.RINGS, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            return Behaviors.receiveMessage(_ -> {
                long late = System.nanoTime() - deadline;
                events.add("done", i, context);
                root.tell(new Result(i, late));
                return Behaviors.stopped();
            });
        }));
    }

    private static Behavior<Result> sleep(int n, int lead, long[] lateness, Actors actors) {
        return Behaviors.setup(context -> {
            actors.start();
            long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lead);
            for (int i = 0; i < n; i++) {
                actors.events.spawn(i, task(i, start + i * SPREAD_NS / n, context.getSelf(), actors.events), context);
            }
            var woken = new Object() {
                int finished;
                int early;
                long checksum;
            };
            return Behaviors.receiveMessage(result -> {
                if (result.value() < -EARLY_NS) woken.early++;
                lateness[woken.finished++] = Math.max(0, result.value());
                woken.checksum += result.number();
                if (woken.finished < n) return Behaviors.same();
                return actors.stop(
                        Outcome.of(n, "created", n, "finished", n, "checksum", woken.checksum, "early", woken.early));
            });
        });
    }

    static void main(String[] words) {
        Actors.run(words, "timers", List.of("n", "lead"), actors -> {
            int n = actors.arguments.integer("n", 1);
            int lead = actors.arguments.integer("lead", 0);
            var lateness = new long[n];
            actors.once(sleep(n, lead, lateness, actors));
            actors.program.series("lateness", lateness);
        });
    }
}
