package thread;

import java.util.Arrays;

/** Parks n tasks, each eight calls deep with 1 KiB of its own. */
final class MemoryState {
    private static final int DEPTH = 8;
    private static final int SIZE = 1024;
    private static final int VALUES = 251;

    private static int descend(int i, Parking gate, int level) throws InterruptedException {
        if (level < DEPTH) return descend(i, gate, level + 1);
        int value = i % VALUES;
        var state = new byte[SIZE];
        Arrays.fill(state, (byte) value);
        gate.await(i);
        return i - value + Byte.toUnsignedInt(state[SIZE - 1]);
    }

    static void main(String[] words) {
        Parking.run(words, "memory-state", (i, gate) -> descend(i, gate, 1));
    }
}
