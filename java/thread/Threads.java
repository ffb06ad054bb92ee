package thread;

import com.sun.management.HotSpotDiagnosticMXBean;
import harness.Arguments;
import harness.Outcome;
import harness.Program;
import harness.Trace;
import harness.VirtualMachine;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import jdk.management.VirtualThreadSchedulerMXBean;

/** A workload's whole process, with threads of the variant's kind as its tasks. */
public final class Threads {
    /** What a program does, in a thread of the variant's kind. */
    @FunctionalInterface
    public interface Main {
        void run(Threads threads) throws Exception;
    }

    /** What is timed; it works on what was prepared for it. */
    @FunctionalInterface
    public interface Operation<T> {
        Outcome run(T prepared) throws Exception;
    }

    /** What is done after each time. */
    @FunctionalInterface
    interface Release<T> {
        void run(T prepared) throws Exception;
    }

    public final Arguments arguments;
    public final Trace trace;
    public final Tasks tasks;
    final Program program;

    private Threads(Program program) {
        this.program = program;
        arguments = program.arguments;
        trace = program.trace;
        tasks = new Tasks(Tasks.factory(), trace);
    }

    public static void run(String[] words, String workload, List<String> parameters, Main main) {
        run(words, workload, parameters, Set.of(), main);
    }

    /** Runs a workload to its last line; whatever goes wrong ends the process. */
    static void run(String[] words, String workload, List<String> parameters, Set<String> options, Main main) {
        Thread.setDefaultUncaughtExceptionHandler((_, error) -> Program.fail(error));
        try {
            var program = new Program(workload, new Arguments(words, parameters, options), Threads::unit);
            // What a platform thread starts or wakes must cross to the virtual threads' scheduler: the root is one of them.
            var root = new FutureTask<>(() -> whole(new Threads(program), main));
            Tasks.factory().newThread(root).start();
            root.get();
        } catch (Exception error) {
            Program.fail(error);
        }
    }

    private static Void whole(Threads threads, Main main) throws Exception {
        threads.program.hello(System.getProperty("java.version"), settings());
        main.run(threads);
        threads.program.end();
        return null;
    }

    public void repeat(Callable<Outcome> operation) throws Exception {
        repeat(() -> null, _ -> operation.call());
    }

    /** Times the operation until that is enough; what `prepare` does before each time is not timed. */
    public <T> void repeat(Callable<T> prepare, Operation<T> operation) throws Exception {
        repeat(
                prepare,
                operation,
                _ -> {
                    // the collector's affair
                });
    }

    /** The same; what `release` does with it after each time is not timed either. */
    <T> void repeat(Callable<T> prepare, Operation<T> operation, Release<T> release) throws Exception {
        do {
            T prepared = prepare.call();
            program.laps.start();
            Outcome outcome = operation.run(prepared);
            program.laps.stop(outcome);
            release.run(prepared);
        } while (program.laps.more());
    }

    /** The number that the results of this iteration must contain. */
    public int nonce() {
        return program.laps.nonce();
    }

    /** The number of a thread is never given twice. */
    private static String unit() {
        return "thread-" + Thread.currentThread().threadId();
    }

    static Map<String, Object> settings() {
        var scheduler = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        var flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return VirtualMachine.settings(
                "threads", Tasks.kind(),
                "parallelism", scheduler.getParallelism(),
                // Empty unless it is told. Where it is "on", the virtual machine has started from a cache, or not at all.
                "aot", flags.getVMOption("AOTMode").getValue());
    }
}
