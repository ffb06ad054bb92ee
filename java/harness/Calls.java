package harness;

/** The baseline of every library: the language without tasks. */
public final class Calls {
    private Calls() {}

    private static int body(int i) {
        return i;
    }

    /** Calls a plain method n times, with the numbers from `first` on, and sums what it returns. */
    public static Outcome call(int n, int first) {
        int finished = 0;
        long checksum = 0;
        for (int i = first; i < first + n; i++) {
            checksum += body(i);
            finished++;
        }
        return Outcome.of(finished, "finished", finished, "checksum", checksum);
    }
}
