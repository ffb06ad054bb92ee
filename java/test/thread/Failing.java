package thread;

import java.util.List;

/** A planted fault: a task that nobody joins fails while the root waits. */
public final class Failing {
    private Failing() {}

    public static void main(String[] words) {
        Threads.run(words, "planted", List.of(), threads -> {
            threads.tasks.start(0, () -> {
                throw new IllegalStateException("planted");
            });
            Thread.currentThread().join();
        });
    }
}
