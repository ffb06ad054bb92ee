package thread;

import harness.StartupReport;
import java.util.concurrent.FutureTask;

/** The smallest process, or one task. The harness is loaded only for the report, which verify asks for. */
final class Startup {
    private static int firstTask() throws Exception {
        var task = new FutureTask<>(() -> 1);
        Tasks.factory().newThread(task).start();
        return task.get();
    }

    private static int perform(String mode) throws Exception {
        if (mode.equals("bare")) return 0;
        if (firstTask() != 1) throw new IllegalStateException("the task did not return 1");
        return 1;
    }

    static void main(String[] words) throws Exception {
        if (words.length == 1 && words[0].equals("mode=bare")) return;
        if (words.length == 1 && words[0].equals("mode=first-task")) perform("first-task");
        else StartupReport.run(words, System.getProperty("java.version"), Threads::settings, Startup::perform);
    }
}
