package harness;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** One process: its arguments, and the lines that it owes the runner. */
public final class Program {
    public final Arguments arguments;
    public final Trace trace;
    public final Laps laps;
    private final String workload;
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out); // System.out would swallow errors
    private final StringBuilder lines = new StringBuilder();
    private final List<Map<String, Object>> series = new ArrayList<>();

    /** `unit` is the identity of whatever is running, as the runtime tells it. */
    public Program(String workload, Arguments arguments, Supplier<String> unit) {
        this.workload = workload;
        this.arguments = arguments;
        trace = new Trace(arguments.flag("trace"), unit);
        int iterations = arguments.integer("iterations", 1);
        int warm = arguments.integer("min_warm_ms", 0);
        int nonce = arguments.integer("nonce", 0);
        laps = trace.on() ? new Laps(1, 0, nonce) : new Laps(iterations, warm, nonce);
    }

    /** The first line; `settings` are what the runtime itself says is in effect. */
    public void hello(String version, Map<String, Object> settings) throws IOException {
        String runtime = System.getenv("COROBENCH_RUNTIME");
        if (runtime == null) throw new UsageException("the environment variable COROBENCH_RUNTIME is not set");
        write(
                Json.object(
                        "type", "hello", "protocol", 1, "runtime", runtime, "version", version,
                        "language_version", System.getProperty("java.version"),
                        "workload", workload, "params", arguments.echo(), "settings", settings));
        flush();
    }

    /** Announces a named point and waits there until the runner has read the process from outside. */
    public void hold(String point, long units) throws IOException {
        laps.standStill();
        trace.hold();
        write(Json.object("type", "hold", "point", point, "units", units));
        flush();
        if (in.readLine() == null) throw new IOException("stdin ended at the hold " + point + ": the runner is gone");
        laps.goOn();
    }

    /** A series of raw samples in nanoseconds, in the order in which they happened. */
    public void series(String name, long[] values) {
        series.add(Json.object("type", "series", "name", name, "values", LongStream.of(values).boxed().toList()));
    }

    /** All iterations, the series, the trace if one was asked for, and the last line. */
    public void end() throws IOException {
        laps.lines().forEach(this::write);
        series.forEach(this::write);
        if (trace.on()) write(Json.object("type", "trace", "events", trace.events()));
        write(Json.object("type", "end"));
        flush();
    }

    /** Says what is wrong and ends the process at once: tasks that are still there have nothing more to say. */
    public static void fail(Throwable error) {
        Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
        if (cause instanceof UsageException) {
            System.err.println("usage: " + cause.getMessage());
            Runtime.getRuntime().halt(2);
        }
        cause.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    private void write(Map<String, Object> line) {
        Json.write(lines, line);
        lines.append('\n');
    }

    private void flush() throws IOException {
        out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        lines.setLength(0);
    }
}
