package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HarnessTest {
    private static Arguments parse(String words) {
        return new Arguments(words.isEmpty() ? new String[0] : words.split(" "), List.of("n"), Set.of("count"));
    }

    @Test
    void argumentsHaveDefaults() {
        var arguments = parse("n=7");
        assertEquals(7, arguments.integer("n", 1));
        assertEquals(1, arguments.integer("iterations", 1));
        assertEquals(0, arguments.integer("nonce", 0));
        assertEquals(false, arguments.flag("count"));
    }

    @Test
    void standingStillIsNoTimeOfALap() throws InterruptedException {
        var laps = new Laps(1, 0, 0);
        long before = System.nanoTime();
        laps.start();
        laps.standStill();
        long stood = System.nanoTime();
        Thread.sleep(20);
        stood = System.nanoTime() - stood;
        laps.goOn();
        laps.stop(Outcome.of(1));
        long whole = System.nanoTime() - before;
        long elapsed = (Long) laps.lines().getFirst().get("elapsed_ns");
        assertTrue(elapsed <= whole - stood, elapsed + " ns of " + whole + " ns, " + stood + " ns of them at a stand");
    }

    @Test
    void theNonceRisesByOneWithEachLap() {
        var laps = new Laps(2, 0, 7);
        for (int nonce = 7; nonce < 10; nonce++) {
            laps.start();
            assertEquals(nonce, laps.nonce());
            laps.stop(Outcome.of(1));
        }
    }

    @Test
    void helloEchoesParametersOnly() {
        assertEquals(Map.of("n", 7), parse("n=7 trace=1 count=1 iterations=3 nonce=5").echo());
    }

    @ParameterizedTest
    @CsvSource({
        "'', n is missing",
        "n, \"n\" is not key=value",
        "n=1 n=2, n is given twice",
        "n=1 m=2, unknown key m",
    })
    void wrongCommandLinesAreRefused(String words, String message) {
        assertEquals(message, assertThrows(UsageException.class, () -> parse(words)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0", "1.5", "-1", "x", "99999999999"})
    void wrongNumbersAreRefused(String text) {
        var arguments = parse("n=" + text);
        assertThrows(UsageException.class, () -> arguments.integer("n", 1));
    }

    @Test
    void jsonIsEscapedAndNested() {
        var line = new StringBuilder();
        Json.write(line, Json.object("text", "a\"\\\n", "list", List.of(1, true), "none", Map.of()));
        assertEquals("{\"text\":\"a\\\"\\\\\\u000a\",\"list\":[1,true],\"none\":{}}", line.toString());
    }

    @Test
    void jsonRefusesWhatItCannotSay() {
        assertThrows(IllegalArgumentException.class, () -> Json.write(new StringBuilder(), new Object()));
    }

    @Test
    void anUntracedBodyIsHandedOnAsItIs() throws Exception {
        var untraced = new Trace(false, () -> "main");
        Callable<Integer> body = () -> 1;
        assertTrue(untraced.body(0, body) == body && untraced.ends(0, body) == body);
    }

    @Test
    void aTracedBodyRecordsItsFirstAndItsLast() throws Exception {
        var trace = new Trace(true, () -> "unit");
        trace.spawn(3);
        trace.spawned(3);
        assertEquals(5, trace.body(3, () -> 5).call());
        var kinds = trace.events().stream().map(List::getFirst).toList();
        assertEquals(List.of("spawn", "spawned", "run", "done"), kinds);
        assertEquals(List.of("run", 3, "unit"), trace.events().get(2));
    }

    @Test
    void aTaskThatFailsHasRecordedItsLast() {
        var trace = new Trace(true, () -> "unit");
        trace.spawn(0);
        trace.spawned(0);
        trace.fail(0);
        assertEquals(List.of("fail", 0, "unit"), trace.events().getLast());
    }

    @Test
    void aKernelThreadIsOneOfTheProcess() throws InterruptedException {
        var other = new AtomicInteger();
        Thread thread = Thread.ofPlatform().start(() -> other.set(KernelThread.id()));
        thread.join();
        assertTrue(Files.exists(Path.of("/proc/self/task", String.valueOf(KernelThread.id()))));
        assertNotEquals(KernelThread.id(), other.get());
    }
}
