package reactor;

import java.util.List;

/** Two tasks pass a token to and fro, m times each: a ring of two. */
final class HandOff {
    private HandOff() {}

    static void main(String[] words) {
        Monos.run(words, "hand-off", List.of("m"), monos -> {
            int m = monos.arguments.integer("m", 1);
            return monos.repeat(() -> Circle.pass(2, m, monos));
        });
    }
}
