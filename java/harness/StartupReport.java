package harness;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What verify reads of the startup program, and how that refuses other words; a measured start never loads it. */
public final class StartupReport {
    private static final List<String> MODES = List.of("bare", "first-task");

    /** Does what a mode asks for, and returns how many tasks finished. */
    @FunctionalInterface
    public interface Work {
        int perform(String mode) throws Exception;
    }

    private StartupReport() {}

    /** `version` and `settings` are what hello says of the runtime. */
    public static void run(String[] words, String version, Supplier<Map<String, Object>> settings, Work work) {
        try {
            var arguments = new Arguments(words, List.of("mode"), Set.of("report"));
            String mode = arguments.word("mode", MODES);
            if (!arguments.flag("report")) {
                work.perform(mode);
                return;
            }
            var program = new Program("startup", arguments, () -> "main");
            program.hello(version, settings.get());
            program.laps.start();
            program.laps.stop(Outcome.of(1, "finished", work.perform(mode)));
            program.end();
        } catch (Exception error) {
            Program.fail(error);
        }
    }
}
