package reactor;

import harness.StartupReport;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The smallest process, or one task. The harness is loaded only for the report, which verify asks for. */
final class Startup {
    private static int firstTask() {
        return Mono.fromCallable(() -> 1).subscribeOn(Schedulers.parallel()).block();
    }

    private static int perform(String mode) {
        if (mode.equals("bare")) return 0;
        if (firstTask() != 1) throw new IllegalStateException("the task did not return 1");
        return 1;
    }

    static void main(String[] words) {
        if (words.length == 1 && words[0].equals("mode=bare")) return;
        if (words.length == 1 && words[0].equals("mode=first-task")) perform("first-task");
        else StartupReport.run(words, Monos.version(), Monos::settings, Startup::perform);
    }
}
