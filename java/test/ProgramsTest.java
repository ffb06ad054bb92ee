import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole programs: how many lines they print, and how they end when something is wrong. */
final class ProgramsTest {
    private record Ended(int status, List<String> lines, String errors) {
        long count(String type) {
            return lines.stream().filter(line -> line.startsWith("{\"type\":\"" + type + "\"")).count();
        }
    }

    /** Where this class lies, the programs do too; the test runner loads them without naming that on the class path. */
    private static String classes() {
        return ProgramsTest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private static Ended run(String kind, String name, String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes(), name));
        var builder = new ProcessBuilder(Stream.concat(command.stream(), Stream.of(words)).toList());
        builder.environment().put("COROBENCH_RUNTIME", "test");
        builder.environment().put("COROBENCH_THREADS", kind);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out.lines().toList(), errors);
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void itIteratesAsOftenAsAsked(String kind) throws Exception {
        Ended ended = run(kind, "thread.Spawn", "n=10", "iterations=7");
        assertEquals("", ended.errors);
        assertEquals(0, ended.status);
        assertEquals(7, ended.count("iteration"));
        assertTrue(ended.lines.get(7).contains("\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":105}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void atItsLimitItDoesTheSame(String kind) throws Exception {
        Ended spawned = run(kind, "thread.limit.Spawn", "n=10");
        assertEquals("", spawned.errors);
        assertTrue(spawned.lines.get(1).contains("\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":45}"));
        Ended passed = run(kind, "thread.limit.HandOff", "m=10");
        assertEquals("", passed.errors);
        assertTrue(passed.lines.get(1).contains("\"evidence\":{\"finished\":2,\"messages\":20,\"checksum\":20}"));
    }

    @ParameterizedTest
    @CsvSource({
        "thread.Baseline, n=10, 10000045, 10000055",
        "thread.Spawn, n=10, 10000045, 10000055",
        "thread.SpawnChain, n=10, 10000045, 10000055",
        "thread.Tree, n=10, 10000045, 10000055",
        "thread.FanIn, p=10 m=2, 20000110, 20000130",
        "thread.HandOff, m=10, 1000020, 1000021",
        "thread.Ring, k=5 rounds=2, 1000010, 1000011",
        "thread.Switch, k=5 m=2, 5000010, 5000015",
        "thread.limit.Spawn, n=10, 10000045, 10000055",
        "thread.limit.HandOff, m=10, 1000020, 1000021",
    })
    void resultsContainANonceThatRisesByOne(String name, String parameters, String first, String second) throws Exception {
        Ended ended = run("virtual", name, (parameters + " nonce=1000000 iterations=2").split(" "));
        assertEquals("", ended.errors);
        assertEquals(2, ended.count("iteration"));
        assertTrue(ended.lines.get(1).contains("\"checksum\":" + first + "}"), ended.lines.get(1));
        assertTrue(ended.lines.get(2).contains("\"checksum\":" + second + "}"), ended.lines.get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"thread.Spawn", "thread.SpawnChain", "thread.limit.Spawn"})
    void tasksAreNumberedFromTheNonceInTheTrace(String name) throws Exception {
        Ended ended = run("virtual", name, "n=2", "nonce=1000000", "trace=1");
        assertEquals("", ended.errors);
        String trace = ended.lines.get(2);
        var numbers = Pattern.compile("\"(?:run|done)\",(\\d+),").matcher(trace).results().map(found -> found.group(1)).sorted();
        assertEquals(List.of("1000000", "1000000", "1000001", "1000001"), numbers.toList());
    }

    @Test
    void itNeverIteratesMoreThanTenThousandTimes() throws Exception {
        assertEquals(10_000, run("virtual", "thread.Baseline", "n=1", "min_warm_ms=600000").count("iteration"));
    }

    @Test
    void startupWritesNothingUnlessAsked() throws Exception {
        assertEquals(new Ended(0, List.of(), ""), run("virtual", "thread.Startup", "mode=first-task"));
    }

    @Test
    void aWrongCommandLineEndsWithTwo() throws Exception {
        assertEquals(new Ended(2, List.of(), "usage: n is missing\n"), run("virtual", "thread.Spawn"));
        assertEquals(2, run("fibre", "thread.Spawn", "n=1").status);
        assertEquals(
                new Ended(2, List.of(), "usage: nonce=-1: must be an integer of at least 0\n"),
                run("virtual", "thread.Spawn", "n=1", "nonce=-1"));
    }

    @Test
    void theEndOfStdinInAHoldEndsWithOne() throws Exception {
        Ended ended = run("virtual", "thread.Memory", "n=10");
        assertEquals(1, ended.status);
        assertTrue(ended.errors.contains("stdin ended at the hold base"));
    }

    @Test
    void aTaskThatFailsEndsWithOne() throws Exception {
        Ended ended = run("virtual", "thread.Failing");
        assertEquals(1, ended.status);
        assertTrue(ended.errors.contains("planted"));
        assertEquals(0, ended.count("end"));
    }
}
