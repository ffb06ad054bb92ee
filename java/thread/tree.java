package thread;

import harness.Outcome;
import harness.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf. */
final class Tree {
    private static final int CHILDREN = 10;

    /** What a task joined below it and itself, and the sum of its leaves. */
    private record Sum(int tasks, long leaves) {}

    private static Sum node(long first, int size, Threads threads) throws Exception {
        if (size == 1) return new Sum(1, first);
        int share = size / CHILDREN;
        var children = new ArrayList<Future<Sum>>(CHILDREN);
        for (int i = 0; i < CHILDREN; i++) {
            long start = first + (long) i * share;
            children.add(threads.tasks.submitNext(() -> node(start, share, threads)));
        }
        int tasks = 1;
        long leaves = 0;
        for (var child : children) {
            Sum sum = child.get();
            tasks += sum.tasks;
            leaves += sum.leaves;
        }
        return new Sum(tasks, leaves);
    }

    static Outcome grow(int n, int nonce, Threads threads) throws Exception {
        Sum sum = threads.tasks.submitNext(() -> node(nonce, n, threads)).get();
        return Outcome.of(sum.tasks, "finished", sum.tasks, "checksum", sum.leaves);
    }

    static void main(String[] words) {
        Threads.run(words, "tree", List.of("n"), threads -> {
            int n = threads.arguments.integer("n", 1);
            if (!String.valueOf(n).matches("10*")) throw new UsageException("n=" + n + ": must be a power of ten");
            threads.repeat(() -> grow(n, threads.nonce(), threads));
        });
    }
}
