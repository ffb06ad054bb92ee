package reactor;

import java.util.Arrays;
import reactor.core.publisher.Mono;

/** Parks n tasks, each eight calls deep with 1 KiB of its own. */
final class MemoryState {
    private static final int DEPTH = 8;
    private static final int SIZE = 1024;
    private static final int VALUES = 251;

    /** What each level adds to the result of its call is an operator that waits for it. */
    private static Mono<Integer> descend(int i, Parking gate, int level) {
        if (level < DEPTH) return Mono.defer(() -> descend(i, gate, level + 1)).map(result -> result + 1);
        return Mono.defer(() -> {
            int value = i % VALUES;
            var state = new byte[SIZE];
            Arrays.fill(state, (byte) value);
            return gate.await(i, () -> 1 - DEPTH + i - value + Byte.toUnsignedInt(state[SIZE - 1]));
        });
    }

    static void main(String[] words) {
        Parking.run(words, "memory-state", (i, gate) -> descend(i, gate, 1));
    }
}
