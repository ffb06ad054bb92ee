import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole programs: how many lines they print, and how they end when something is wrong. */
final class ProgramsTest {
    private static Ended run(String kind, String name, String... words) throws IOException, InterruptedException {
        return Ended.run(Map.of("COROBENCH_THREADS", kind), name, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void itIteratesAsOftenAsAsked(String kind) throws Exception {
        Ended ended = run(kind, "thread.Spawn", "n=10", "iterations=7");
        assertEquals("", ended.errors());
        assertEquals(0, ended.status());
        assertEquals(7, ended.count("iteration"));
        assertTrue(ended.lines().get(7).contains("\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":105}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void atItsLimitItDoesTheSame(String kind) throws Exception {
        Ended spawned = run(kind, "thread.limit.Spawn", "n=10");
        assertEquals("", spawned.errors());
        assertTrue(spawned.lines().get(1).contains("\"evidence\":{\"created\":10,\"finished\":10,\"checksum\":45}"));
        Ended passed = run(kind, "thread.limit.HandOff", "m=10");
        assertEquals("", passed.errors());
        assertTrue(passed.lines().get(1).contains("\"evidence\":{\"finished\":2,\"messages\":20,\"checksum\":20}"));
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
        "thread.Mutex, k=2 m=3, 1000006, 1000007",
        "thread.Semaphore, k=3 s=2 m=2, 3000006, 3000009",
        "thread.Channel, p=2 c=2 b=1 m=2, 4000006, 4000010",
        "thread.Scope, n=2 m=2, 2000001, 2000003",
        "thread.SleepZero, k=2 m=3, 2000006, 2000008",
        "thread.WakeThread, m=5, 1000010, 1000011",
        "thread.limit.Spawn, n=10, 10000045, 10000055",
        "thread.limit.HandOff, m=10, 1000020, 1000021",
    })
    void resultsContainANonceThatRisesByOne(String name, String parameters, String first, String second) throws Exception {
        Ended ended = run("virtual", name, (parameters + " nonce=1000000 iterations=2").split(" "));
        assertEquals("", ended.errors());
        assertEquals(2, ended.count("iteration"));
        assertTrue(ended.lines().get(1).contains("\"checksum\":" + first + "}"), ended.lines().get(1));
        assertTrue(ended.lines().get(2).contains("\"checksum\":" + second + "}"), ended.lines().get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"thread.Spawn", "thread.SpawnChain", "thread.limit.Spawn"})
    void tasksAreNumberedFromTheNonceInTheTrace(String name) throws Exception {
        Ended ended = run("virtual", name, "n=2", "nonce=1000000", "trace=1");
        assertEquals("", ended.errors());
        String trace = ended.lines().get(2);
        var numbers = Pattern.compile("\"(?:run|done)\",(\\d+),").matcher(trace).results().map(found -> found.group(1)).sorted();
        assertEquals(List.of("1000000", "1000000", "1000001", "1000001"), numbers.toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aLoneTaskNeitherGivesWayNorIsPassed(String kind) throws Exception {
        for (String[] words : List.of(new String[] {"thread.Mutex", "k=1", "m=5"}, new String[] {"thread.Semaphore", "k=1", "s=1", "m=5"})) {
            Ended ended = run(kind, words[0], Arrays.copyOfRange(words, 1, words.length));
            assertEquals("", ended.errors());
            assertTrue(ended.lines().get(1).contains("\"most\":1,\"yields\":0,\"passed\":0,\"checksum\":5}"), ended.lines().get(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void aTokenGoesToAThreadAndBack(String kind) throws Exception {
        Ended ended = run(kind, "thread.WakeThread", "m=5");
        assertEquals("", ended.errors());
        assertTrue(ended.lines().get(1).contains("\"messages\":10,\"threads\":2,\"checksum\":10}"), ended.lines().get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void eachScopeCancelsItsOtherChildren(String kind) throws Exception {
        Ended ended = run(kind, "thread.Scope", "n=10", "m=3");
        assertEquals("", ended.errors());
        String evidence = "\"created\":30,\"failed\":3,\"cancelled\":27,\"cleaned\":27,\"checksum\":3}";
        assertTrue(ended.lines().get(1).contains(evidence), ended.lines().get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void allAreCancelledWhileOthersYield(String kind) throws Exception {
        Ended ended = run(kind, "thread.CancelLoaded", "n=5", "k=3", "iterations=2");
        assertEquals("", ended.errors());
        for (String iteration : ended.lines().subList(1, 3)) {
            assertTrue(iteration.contains("{\"created\":5,\"cancelled\":5,\"finished\":5,\"active\":3}"), iteration);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "platform"})
    void everyTaskOfEveryBurstRunsOnce(String kind) throws Exception {
        Ended ended = run(kind, "thread.Burst", "n=3", "bursts=2", "idle_ms=0", "nonce=1000000");
        assertEquals("", ended.errors());
        String evidence = "\"created\":6,\"finished\":6,\"checksum\":6000015,\"last_ns\":";
        assertTrue(ended.lines().get(1).contains(evidence), ended.lines().get(1));
        List<Long> starts = series(ended, 2);
        long lasts = Collections.max(starts.subList(0, 3)) + Collections.max(starts.subList(3, 6));
        assertTrue(ended.lines().get(1).endsWith("\"last_ns\":" + lasts + "}}"), ended.lines().get(1));
    }

    /** Of platform threads only: while virtual ones yield, no timer fires. */
    @Test
    void everyTickIsTakenAndEveryTaskYields() throws Exception {
        Ended ended = run("platform", "thread.Ticker", "k=3", "ticks=5", "period_us=1000");
        assertEquals("", ended.errors());
        assertTrue(ended.lines().get(1).contains("\"ops\":5,\"evidence\":{\"finished\":4,\"active\":3,"), ended.lines().get(1));
    }

    private static List<Long> series(Ended ended, int line) {
        String values = ended.lines().get(line).replaceFirst(".*\\[(.*)\\]}", "$1");
        return Stream.of(values.split(",")).map(Long::valueOf).toList();
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
        assertEquals(2, run("fibre", "thread.Spawn", "n=1").status());
        assertEquals(
                new Ended(2, List.of(), "usage: nonce=-1: must be an integer of at least 0\n"),
                run("virtual", "thread.Spawn", "n=1", "nonce=-1"));
    }

    @Test
    void theEndOfStdinInAHoldEndsWithOne() throws Exception {
        Ended ended = run("virtual", "thread.Memory", "n=10");
        assertEquals(1, ended.status());
        assertTrue(ended.errors().contains("stdin ended at the hold base"));
    }

    @Test
    void aTaskThatFailsEndsWithOne() throws Exception {
        Ended ended = run("virtual", "thread.Failing");
        assertEquals(1, ended.status());
        assertTrue(ended.errors().contains("planted"));
        assertEquals(0, ended.count("end"));
    }
}
