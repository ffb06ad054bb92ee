package thread;

import harness.Outcome;
import harness.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets k tasks yield m times each. */
final class Switch {
    /** Looks at every resume; without trace=1 or count=1, which are never timed, there is none. */
    private static final class Watcher {
        final AtomicInteger switches = new AtomicInteger();
        private final AtomicInteger last = new AtomicInteger(-1);
        private final Trace trace;

        Watcher(Trace trace) {
            this.trace = trace;
        }

        void resumed(int task) {
            trace.run(task);
            if (last.getAndSet(task) != task) switches.incrementAndGet();
        }
    }

    /** A task's body: counts from `first` how often it was resumed. */
    private static int yields(int task, int m, int first, Watcher watcher) {
        int counted = first;
        for (int turn = 0; turn < m; turn++) {
            Thread.yield();
            counted++;
            if (watcher != null) watcher.resumed(task);
        }
        return counted;
    }

    static Outcome yields(int k, int m, int nonce, boolean count, Threads threads) throws Exception {
        var watcher = count || threads.trace.on() ? new Watcher(threads.trace) : null;
        var tasks = new ArrayList<Future<Integer>>(k);
        for (int i = 0; i < k; i++) {
            int number = i;
            tasks.add(threads.tasks.submitResuming(i, () -> yields(number, m, nonce, watcher)));
        }
        int finished = 0;
        long checksum = 0;
        for (var task : tasks) {
            checksum += task.get();
            finished++;
        }
        long resumes = checksum - (long) k * nonce;
        var outcome = Outcome.of(resumes, "finished", finished, "resumes", resumes, "checksum", checksum);
        if (watcher != null && count) outcome.evidence().put("true_switches", watcher.switches.get());
        return outcome;
    }

    static void main(String[] words) {
        Threads.run(words, "switch", List.of("k", "m"), Set.of("count"), threads -> {
            int k = threads.arguments.integer("k", 1);
            int m = threads.arguments.integer("m", 1);
            boolean count = threads.arguments.flag("count");
            threads.repeat(() -> yields(k, m, threads.nonce(), count, threads));
        });
    }
}
