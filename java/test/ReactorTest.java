import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole programs of Reactor: what they count and record, and how they end when something is wrong. */
final class ReactorTest {
    private static Ended run(String name, String... words) throws IOException, InterruptedException {
        return Ended.run(Map.of(), name, words);
    }

    @ParameterizedTest
    @CsvSource({
        "reactor.Baseline, n=10, 10000045, 10000055",
        "reactor.Spawn, n=10, 10000045, 10000055",
        "reactor.SpawnChain, n=10, 10000045, 10000055",
        "reactor.Tree, n=10, 10000045, 10000055",
        "reactor.HandOff, m=10, 1000020, 1000021",
        "reactor.Ring, k=5 rounds=2, 1000010, 1000011",
        "reactor.Switch, k=5 m=2, 5000010, 5000015",
        "reactor.Scope, n=2 m=2, 2000001, 2000003",
        "reactor.SleepZero, k=2 m=3, 2000006, 2000008",
        "reactor.WakeThread, m=5, 1000010, 1000011",
    })
    void resultsContainANonceThatRisesByOne(String name, String parameters, String first, String second) throws Exception {
        Ended ended = run(name, (parameters + " nonce=1000000 iterations=2").split(" "));
        assertEquals("", ended.errors());
        assertEquals(2, ended.count("iteration"));
        assertTrue(ended.lines().get(1).contains("\"checksum\":" + first + "}"), ended.lines().get(1));
        assertTrue(ended.lines().get(2).contains("\"checksum\":" + second + "}"), ended.lines().get(2));
    }

    @Test
    void everyYieldLetsAnotherTaskRun() throws Exception {
        Ended ended = Ended.run(Map.of("JDK_JAVA_OPTIONS", "-Dreactor.schedulers.defaultPoolSize=1"), "reactor.Switch", "k=5", "m=20", "count=1");
        assertTrue(ended.lines().get(1).contains("\"true_switches\":100}"), ended.lines().get(1));
    }

    @Test
    void aScopeOfOneFails() throws Exception {
        Ended ended = run("reactor.Scope", "n=1", "m=3");
        assertEquals("", ended.errors());
        assertTrue(ended.lines().get(1).contains("{\"created\":3,\"failed\":3,\"cancelled\":0,\"cleaned\":0,\"checksum\":3}"), ended.lines().get(1));
    }

    /** The units in which the two tasks of a planted program ran. */
    private static List<String> unitsOf(String fault) throws Exception {
        Ended ended = run("reactor.Unscheduled", "fault=" + fault, "trace=1");
        assertEquals("", ended.errors());
        return Pattern.compile("\"run\",\\d,\"([^\"]+)\"").matcher(ended.lines().get(2)).results().map(found -> found.group(1)).toList();
    }

    @Test
    void aBodyWithoutASchedulerRunsInItsStartersUnit() throws Exception {
        assertEquals(List.of("subscription-0", "subscription-0"), unitsOf("called"));
    }

    @Test
    void aTaskThatIsResumedByAnEmissionRunsInItsEmittersUnit() throws Exception {
        var units = unitsOf("resumed");
        assertEquals(2, units.size());
        assertEquals(units.get(0), units.get(1));
    }

    @Test
    void startupWritesNothingUnlessAsked() throws Exception {
        assertEquals(new Ended(0, List.of(), ""), run("reactor.Startup", "mode=first-task"));
    }

    @Test
    void aWrongCommandLineEndsWithTwo() throws Exception {
        assertEquals(new Ended(2, List.of(), "usage: n is missing\n"), run("reactor.Spawn"));
        Ended ended = run("reactor.Tree", "n=7"); // the root finds this, on a worker
        assertEquals(2, ended.status());
        assertEquals("usage: n=7: must be a power of ten\n", ended.errors());
    }

    @Test
    void theEndOfStdinInAHoldEndsWithOne() throws Exception {
        Ended ended = run("reactor.Memory", "n=10");
        assertEquals(1, ended.status());
        assertTrue(ended.errors().contains("stdin ended at the hold base"), ended.errors());
    }

    @Test
    void aTaskThatFailsEndsWithOne() throws Exception {
        Ended ended = run("reactor.Failing");
        assertEquals(1, ended.status());
        assertTrue(ended.errors().contains("planted"), ended.errors());
        assertEquals(0, ended.count("end"));
    }
}
