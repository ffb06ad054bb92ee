package harness

import kotlinx.coroutines.CoroutineScope
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource
import java.io.File
import kotlin.reflect.KClass

/** Whole programs: what their evidence says. */
class ProgramsTest {
    /** Runs a program to its end, which must be a good one; returns its lines. */
    private fun run(
        dispatcher: String,
        name: String,
        words: String,
    ): List<String> {
        val path = listOf(ProgramsTest::class, KotlinVersion::class, CoroutineScope::class).joinToString(":", transform = ::place)
        val java = System.getProperty("java.home") + "/bin/java"
        val vm = listOf(java, "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", path)
        val errors = File.createTempFile("errors", null)
        val builder = ProcessBuilder(vm + "coroutine.$name" + words.split(" ")).redirectError(errors)
        builder.environment() += mapOf("COROBENCH_RUNTIME" to "test", "COROBENCH_DISPATCHER" to dispatcher)
        val process = builder.start()
        val lines = process.inputReader().readLines()
        assertEquals(0 to "", process.waitFor() to errors.readText())
        errors.delete()
        return lines
    }

    /** Where a class was loaded from: the test runner does not name that on its class path. */
    private fun place(loaded: KClass<*>): String = loaded.java.protectionDomain.codeSource.location.path

    @ParameterizedTest
    @CsvSource(
        "Mutex, k=2 m=3, 1000006, 1000007",
        "Semaphore, k=3 s=2 m=2, 3000006, 3000009",
        "Channel, p=2 c=2 b=1 m=2, 4000006, 4000010",
        "Select, k=4 w=2 m=1, 4000006, 4000010",
        "Scope, n=2 m=2, 2000001, 2000003",
        "Generator, n=3, 1000003, 1000004",
        "SleepZero, k=2 m=3, 2000006, 2000008",
        "WakeThread, m=5, 1000010, 1000011",
    )
    fun `results contain a nonce that rises by one`(
        name: String,
        parameters: String,
        first: String,
        second: String,
    ) {
        val lines = run("event-loop", name, "$parameters nonce=1000000 iterations=2")
        assertTrue(lines[1].endsWith("\"checksum\":$first}}"), lines[1])
        assertTrue(lines[2].endsWith("\"checksum\":$second}}"), lines[2])
    }

    @ParameterizedTest
    @CsvSource(
        "Mutex, k=1 m=5, '\"finished\":1,\"most\":1,\"yields\":0,\"passed\":0'",
        "Mutex, k=3 m=4, '\"finished\":3,\"most\":1,\"yields\":12,\"passed\":2'",
        "Semaphore, k=1 s=1 m=5, '\"finished\":1,\"most\":1,\"yields\":0,\"passed\":0'",
        "Semaphore, k=5 s=2 m=4, '\"finished\":5,\"most\":2,\"yields\":20,\"passed\":4'",
        "Select, k=8 w=8 m=3, '\"finished\":2,\"messages\":24,\"least\":3,\"most\":3'",
        "Scope, n=10 m=3, '\"created\":30,\"failed\":3,\"cancelled\":27,\"cleaned\":27'",
        "WakeThread, m=5, '\"finished\":2,\"messages\":10,\"threads\":2'",
        "CancelLoaded, n=5 k=3, '\"created\":5,\"cancelled\":5,\"finished\":5,\"active\":3'",
        "Ticker, k=3 ticks=5 period_us=1000, '\"ops\":5,\"evidence\":{\"finished\":4,\"active\":3'",
    )
    fun `the event loop hands on in the order of asking, and loses nothing`(
        name: String,
        parameters: String,
        evidence: String,
    ) {
        val lines = run("event-loop", name, parameters)
        assertTrue(lines[1].contains(evidence), lines[1])
    }

    @ParameterizedTest
    @ValueSource(strings = ["event-loop", "default"])
    fun `every task of every burst runs once`(dispatcher: String) {
        val lines = run(dispatcher, "Burst", "n=3 bursts=2 idle_ms=0 nonce=1000000")
        val samples = lines[2].substringAfter("[").substringBefore("]")
        val starts = samples.split(",").map(String::toLong)
        val lasts = starts.take(3).max() + starts.drop(3).max()
        val evidence = "\"created\":6,\"finished\":6,\"checksum\":6000015,\"last_ns\":$lasts}"
        assertTrue(lines[1].contains(evidence), lines[1])
    }

    @Test
    fun `an iterator that runs is told from one that does not`() {
        val events = run("event-loop", "Generator", "n=2 trace=1")[2]
        val told = listOf("spawn" to "main", "spawned" to "main", "run" to "iterator", "run" to "iterator", "done" to "iterator")
        assertTrue(events.contains(told.joinToString(",", "[", "]") { (kind, unit) -> "[\"$kind\",0,\"$unit\"]" }), events)
    }
}
