package pekko;

import harness.Arguments;
import harness.Outcome;
import harness.Program;
import java.util.List;
import java.util.Set;
import org.apache.pekko.Version;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** What verify reads of the startup program, and how that refuses other words; a measured start never loads it. */
final class StartupReport {
    private static final List<String> MODES = List.of("bare", "first-task");

    /** Does what a mode asks for, and returns how many tasks finished. */
    @FunctionalInterface
    interface Work {
        int perform(String mode) throws Exception;
    }

    private StartupReport() {}

    static void run(String[] words, Work work) {
        try {
            var arguments = new Arguments(words, List.of("mode"), Set.of("report"));
            String mode = arguments.word("mode", MODES);
            if (!arguments.flag("report")) {
                work.perform(mode);
                return;
            }
            var program = new Program("startup", arguments, () -> "main");
            var system = Actors.<Void>newSystem(Behaviors.empty());
            program.hello(Version.current(), Actors.settings(system));
            Actors.end(system);
            program.laps.start();
            program.laps.stop(Outcome.of(1, "finished", work.perform(mode)));
            program.end();
        } catch (Exception error) {
            Program.fail(error);
        }
    }
}
