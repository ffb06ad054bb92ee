package reactor;

import java.util.List;

/** k tasks, each waiting at a sink of its own, pass a token round. */
final class Ring {
    private Ring() {}

    static void main(String[] words) {
        Monos.run(words, "ring", List.of("k", "rounds"), monos -> {
            int k = monos.arguments.integer("k", 1);
            int rounds = monos.arguments.integer("rounds", 1);
            return monos.repeat(() -> Circle.pass(k, rounds, monos));
        });
    }
}
