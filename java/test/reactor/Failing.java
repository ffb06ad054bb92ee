package reactor;

import java.util.List;
import reactor.core.publisher.Mono;

/** A planted fault: a task that nobody joins fails while the root waits. */
public final class Failing {
    private Failing() {}

    public static void main(String[] words) {
        Monos.run(words, "planted", List.of(), monos ->
                monos.tasks.start(0, Mono.error(() -> new IllegalStateException("planted"))).then(Mono.never()));
    }
}
