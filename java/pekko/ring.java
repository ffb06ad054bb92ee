package pekko;

import java.util.List;

/** k actors tell a token round. */
final class Ring {
    private Ring() {}

    static void main(String[] words) {
        Actors.run(words, "ring", List.of("k", "rounds"), actors -> {
            int k = actors.arguments.integer("k", 1);
            int rounds = actors.arguments.integer("rounds", 1);
            actors.repeat(() -> Circle.of(k, rounds, actors));
        });
    }
}
