package harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The timed iterations of one process. Each is started just before its first operation and stopped just after its last. */
public final class Laps {
    private static final int MOST = 10_000;
    private static final long NANOSECONDS_PER_MS = 1_000_000;

    private final int least;
    private final long warmTime;
    private final int nonce;
    private final List<Map<String, Object>> done = new ArrayList<>();
    private long warm;
    private long cpu;
    private long start;
    private long stoodSince;
    private long stoodCpu;

    /** At least this many iterations, and this much time (ms) in those after the first. */
    Laps(int least, long warmMilliseconds, int nonce) {
        this.least = least;
        this.nonce = nonce;
        warmTime = warmMilliseconds * NANOSECONDS_PER_MS;
    }

    /** The number that the results of this iteration must contain: the runner's nonce, and one more with each iteration. */
    public int nonce() {
        return nonce + done.size();
    }

    public void start() {
        cpu = Clock.cpu();
        start = System.nanoTime();
    }

    public void stop(Outcome outcome) {
        long elapsed = System.nanoTime() - start;
        long spent = Clock.cpu() - cpu;
        if (!done.isEmpty()) warm += elapsed;
        done.add(
                Json.object(
                        "type", "iteration", "index", done.size(), "elapsed_ns", elapsed, "cpu_ns", spent,
                        "ops", outcome.ops(), "evidence", outcome.evidence()));
    }

    /** From here to `goOn` the process stands still: that is no time of the lap that is under way. */
    void standStill() {
        stoodCpu = Clock.cpu();
        stoodSince = System.nanoTime();
    }

    void goOn() {
        start += System.nanoTime() - stoodSince;
        cpu += Clock.cpu() - stoodCpu;
    }

    /** Whether another iteration is due. */
    public boolean more() {
        return done.size() < MOST && (done.size() < least || warm < warmTime);
    }

    List<Map<String, Object>> lines() {
        return done;
    }
}
