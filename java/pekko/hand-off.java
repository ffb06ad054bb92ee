package pekko;

import java.util.List;

/** Two actors tell each other a token, m times each. */
final class HandOff {
    private HandOff() {}

    static void main(String[] words) {
        Actors.run(words, "hand-off", List.of("m"), actors -> {
            int m = actors.arguments.integer("m", 1);
            actors.repeat(() -> Circle.of(2, m, actors));
        });
    }
}
