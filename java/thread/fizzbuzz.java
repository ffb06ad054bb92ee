package thread;

import harness.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** n tasks do m fizzbuzz steps each: as plain calls (base), as tasks that do not wait (spawn), or that yield after each step. */
final class Fizzbuzz {
    private static final List<String> PHASES = List.of("base", "spawn", "yield");

    private static String fizzbuzz(int value) {
        if (value % 15 == 0) return "FizzBuzz";
        if (value % 5 == 0) return "Buzz";
        if (value % 3 == 0) return "Fizz";
        return Integer.toString(value);
    }

    /** What one step adds to the sum; its use of the text keeps the text from being optimised away. */
    static int step(int value) {
        String text = fizzbuzz(value);
        return 31 * text.length() + text.charAt(0);
    }

    private record Steps(int count, long sum) {}

    private static Steps body(int task, int m, boolean yields) {
        int count = 0;
        long sum = 0;
        for (; count < m; count++) {
            sum += step(task + count);
            if (yields) Thread.yield();
        }
        return new Steps(count, sum);
    }

    private static Outcome add(Iterable<Steps> results) {
        int finished = 0;
        int steps = 0;
        long checksum = 0;
        for (Steps result : results) {
            finished++;
            steps += result.count;
            checksum += result.sum;
        }
        return Outcome.of(finished, "finished", finished, "steps", steps, "checksum", checksum);
    }

    private static Outcome base(int n, int m) {
        var results = new ArrayList<Steps>(n);
        for (int i = 0; i < n; i++) results.add(body(i, m, false));
        return add(results);
    }

    private static Outcome tasks(int n, int m, boolean yields, Threads threads) throws Exception {
        var tasks = new ArrayList<Future<Steps>>(n);
        for (int i = 0; i < n; i++) {
            int number = i;
            tasks.add(threads.tasks.submit(i, () -> body(number, m, yields)));
        }
        var results = new ArrayList<Steps>(n);
        for (int i = 0; i < n; i++) {
            results.add(tasks.get(i).get());
            threads.trace.collect(i);
        }
        return add(results);
    }

    static void main(String[] words) {
        Threads.run(words, "fizzbuzz", List.of("phase", "n", "m"), threads -> {
            String phase = threads.arguments.word("phase", PHASES);
            int n = threads.arguments.integer("n", 1);
            int m = threads.arguments.integer("m", 1);
            if (phase.equals("base")) threads.repeat(() -> base(n, m));
            else threads.repeat(() -> tasks(n, m, phase.equals("yield"), threads));
        });
    }
}
