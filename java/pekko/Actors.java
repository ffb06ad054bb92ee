package pekko;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import harness.Arguments;
import harness.Outcome;
import harness.Program;
import harness.UsageException;
import harness.VirtualMachine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.pekko.Version;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A workload's whole process, with actors as its tasks. Each iteration has a root, an actor that starts the others. */
final class Actors {
    /** What a program does, on the main thread. */
    @FunctionalInterface
    interface Main {
        void run(Actors actors) throws Exception;
    }

    private static final String POOL = "pekko.actor.default-dispatcher.fork-join-executor.";
    private static final String QUIET =
            "pekko { loglevel = WARNING, stdout-loglevel = OFF, log-dead-letters = off, actor.default-dispatcher.fork-join-executor {"
                    + " parallelism-min = %1$s, parallelism-max = %1$s } }";

    final Arguments arguments;
    final Program program;
    final Events events;
    private final ActorSystem<Behavior<?>> system;
    private CompletableFuture<Void> ended = new CompletableFuture<>();

    private Actors(Program program, ActorSystem<Behavior<?>> system) {
        this.program = program;
        this.system = system;
        arguments = program.arguments;
        events = new Events(program.trace);
    }

    /** Runs a workload to its last line; whatever goes wrong ends the process. */
    static void run(String[] words, String workload, List<String> parameters, Main main) {
        try {
            var program = new Program(workload, new Arguments(words, parameters, Set.of()), () -> "main");
            var system = newSystem(Behaviors.<Behavior<?>>receive(Actors::start));
            program.hello(Version.current(), settings(system));
            main.run(new Actors(program, system));
            program.end();
            end(system);
        } catch (Exception error) {
            Program.fail(error);
        }
    }

    /** The pool has as many threads as the environment says: by default they are eight at least, on one CPU too. */
    static <M> ActorSystem<M> newSystem(Behavior<M> guardian) {
        String threads = System.getenv("COROBENCH_PARALLELISM");
        if (threads == null) throw new UsageException("the environment variable COROBENCH_PARALLELISM is not set");
        Config config = ConfigFactory.parseString(QUIET.formatted(threads)).withFallback(ConfigFactory.load());
        return ActorSystem.create(guardian, "corobench", config);
    }

    /** Returns when the system and all of its actors have ended. */
    static void end(ActorSystem<?> system) throws Exception {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get();
    }

    private static Behavior<Behavior<?>> start(ActorContext<Behavior<?>> context, Behavior<?> root) {
        context.spawnAnonymous(root);
        return Behaviors.same();
    }

    /** Has a root do the operation until that is enough. It calls `start` and `stop` itself. */
    void repeat(Supplier<Behavior<?>> root) throws Exception {
        do {
            once(root.get());
        } while (program.laps.more());
    }

    void once(Behavior<?> root) throws Exception {
        ended = new CompletableFuture<>();
        system.tell(root);
        ended.get();
    }

    /** The clock runs from here. */
    void start() {
        program.laps.start();
    }

    /** It stops, and the root ends: what is returned is its last behaviour. */
    <M> Behavior<M> stop(Outcome outcome) {
        program.laps.stop(outcome);
        ended.complete(null);
        return Behaviors.stopped();
    }

    /** A hold from within a turn of the root: with it, the dispatcher's thread stands still. */
    void hold(String point, long units) {
        try {
            program.hold(point, units);
        } catch (Exception error) {
            Program.fail(error);
        }
    }

    /** The number that the results of this iteration must contain. */
    int nonce() {
        return program.laps.nonce();
    }

    static Map<String, Object> settings(ActorSystem<?> system) {
        Config config = system.settings().config();
        return VirtualMachine.settings(
                "parallelism", config.getInt(POOL + "parallelism-max"),
                "throughput", config.getInt("pekko.actor.default-dispatcher.throughput"));
    }
}
