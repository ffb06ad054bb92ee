import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A whole program that has ended: what it printed, and how. */
record Ended(int status, List<String> lines, String errors) {
    /** Where this class lies, the programs do too; the test runner loads them without naming that on the class path. */
    private static final String CLASS_PATH = Stream.of(Ended.class, Mono.class, Publisher.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(":"));

    /** Runs it with its stdin closed. */
    static Ended run(Map<String, String> environment, String name, String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", CLASS_PATH, name));
        var builder = new ProcessBuilder(Stream.concat(command.stream(), Stream.of(words)).toList());
        builder.environment().put("COROBENCH_RUNTIME", "test");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out.lines().toList(), errors);
    }

    long count(String type) {
        return lines.stream().filter(line -> line.startsWith("{\"type\":\"" + type + "\"")).count();
    }
}
