package reactor;

import harness.Outcome;
import harness.UsageException;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf. */
final class Tree {
    private static final int CHILDREN = 10;

    /** What a task joined below it and itself, and the sum of its leaves. */
    private record Sum(int tasks, long leaves) {
        /** Of a task that has joined its children. */
        static Sum of(Object[] children) {
            int tasks = 1;
            long leaves = 0;
            for (Object child : children) {
                Sum sum = (Sum) child;
                tasks += sum.tasks;
                leaves += sum.leaves;
            }
            return new Sum(tasks, leaves);
        }
    }

    private static Mono<Sum> task(long first, int size, Tasks tasks) {
        return tasks.nextTask(Mono.defer(() -> node(first, size, tasks)));
    }

    private static Mono<Sum> node(long first, int size, Tasks tasks) {
        if (size == 1) return Mono.just(new Sum(1, first));
        int share = size / CHILDREN;
        var children = new ArrayList<Mono<Sum>>(CHILDREN);
        for (int i = 0; i < CHILDREN; i++) children.add(task(first + (long) i * share, share, tasks));
        return Mono.zip(children, Sum::of);
    }

    private static Mono<Outcome> grow(int n, Monos monos) {
        return task(monos.nonce(), n, monos.tasks).map(sum -> Outcome.of(sum.tasks, "finished", sum.tasks, "checksum", sum.leaves));
    }

    static void main(String[] words) {
        Monos.run(words, "tree", List.of("n"), monos -> {
            int n = monos.arguments.integer("n", 1);
            if (!String.valueOf(n).matches("10*")) throw new UsageException("n=" + n + ": must be a power of ten");
            return monos.repeat(() -> monos.timed(() -> grow(n, monos)));
        });
    }
}
