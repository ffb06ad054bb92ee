package reactor;

/** Parks n tasks that hold nothing but their number. */
final class Memory {
    static void main(String[] words) {
        Parking.run(words, "memory", (i, gate) -> gate.await(i, () -> i));
    }
}
