package pekko;

import harness.StartupReport;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Version;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** The smallest process, or one actor. The harness is loaded only for the report, which verify asks for. */
final class Startup {
    private static int firstTask() throws Exception {
        var result = new CompletableFuture<Integer>();
        var system = Actors.<Void>newSystem(Behaviors.setup(_ -> {
            result.complete(1);
            return Behaviors.stopped();
        }));
        int told = result.get();
        Actors.end(system);
        return told;
    }

    private static int perform(String mode) throws Exception {
        if (mode.equals("bare")) return 0;
        if (firstTask() != 1) throw new IllegalStateException("the task did not return 1");
        return 1;
    }

    /** Those of a system that is started for this question. */
    private static Map<String, Object> settings() {
        var system = Actors.<Void>newSystem(Behaviors.empty());
        try {
            return Actors.settings(system);
        } finally {
            system.terminate();
        }
    }

    static void main(String[] words) throws Exception {
        if (words.length == 1 && words[0].equals("mode=bare")) return;
        if (words.length == 1 && words[0].equals("mode=first-task")) perform("first-task");
        else StartupReport.run(words, Version.current(), Startup::settings, Startup::perform);
    }
}
