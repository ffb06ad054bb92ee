package harness

import coroutine.Arrivals
import coroutine.Coroutines
import coroutine.Mailbox
import coroutine.Tasks
import coroutine.Tracing
import coroutine.dispatcher
import coroutine.version
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class CoroutinesTest {
    @Test
    fun `a traced task has an identity of its own`() {
        val trace = Trace(true) { "main" }
        val tracing = Tracing(trace)
        runBlocking {
            val tasks = Tasks(this, tracing)
            val running = List(2) { i -> tasks.start(i) { i } }
            assertEquals(listOf(0, 1), running.map { it.await() })
        }
        val events = trace.events()
        assertEquals(listOf("spawn", "spawned", "spawn", "spawned", "run", "done", "run", "done"), events.map { it.first() })
        val units = events.groupBy({ it[0] to it[1] }, { it[2] })
        assertEquals(units["run" to 0], units["done" to 0])
        assertEquals(3, events.map { it[2] }.distinct().size)
    }

    @Test
    fun `without a trace nothing is recorded`() =
        runBlocking {
            val tracing = Tracing(Trace(false) { "main" })
            assertEquals(5, Tasks(this, tracing).start(0) { 5 }.await())
            assertTrue(!tracing.on)
        }

    @Test
    fun `a task that fails ends the whole scope`() {
        val failure =
            assertThrows(IllegalStateException::class.java) {
                runBlocking {
                    coroutineScope {
                        Tasks(this, Tracing(Trace(false) { "main" })).launch(0) { error("planted") }
                        delay(Long.MAX_VALUE)
                    }
                }
            }
        assertEquals("planted", failure.message)
    }

    @Test
    fun `a mailbox hands over to whoever waits and has room for one`() =
        runBlocking {
            val mailbox = Mailbox()
            val received = async { mailbox.take() }
            yield()
            mailbox.put(7)
            assertEquals(7, received.await())
            mailbox.put(8)
            assertThrows(IllegalStateException::class.java) { mailbox.put(9) }
            assertEquals(8, mailbox.take())
        }

    @Test
    fun `whoever waits goes on when the last has arrived`() =
        runBlocking {
            val arrivals = Arrivals(2)
            val waiting = async { arrivals.await() }
            arrivals.arrive()
            yield()
            assertTrue(waiting.isActive)
            arrivals.arrive()
            waiting.await()
        }

    @Test
    fun `nobody can arrive where nobody is expected`() {
        assertThrows(IllegalArgumentException::class.java) { Arrivals(0) }
    }

    @Test
    fun `what was prepared is released after each time`() =
        runBlocking {
            val coroutines = Coroutines(Program("test", Arguments(arrayOf("iterations=2"), emptyList(), emptySet())) { "main" }, this)
            val seen = mutableListOf<String>()
            val operation: suspend (Boolean) -> Outcome = {
                seen.add("operation")
                Outcome.of(1)
            }
            coroutines.repeat({ seen.add("prepare") }, operation) { seen.add("release") }
            assertEquals(List(2) { listOf("prepare", "operation", "release") }.flatten(), seen)
        }

    @Test
    fun `the nonce rises by one with each iteration`() =
        runBlocking {
            val words = arrayOf("iterations=3", "nonce=1000000")
            val coroutines = Coroutines(Program("test", Arguments(words, emptyList(), emptySet())) { "main" }, this)
            val seen = mutableListOf<Int>()
            coroutines.repeat {
                seen.add(coroutines.nonce)
                Outcome.of(1)
            }
            assertEquals(listOf(1000000, 1000001, 1000002), seen)
        }

    @Test
    fun `a nonce is an integer`() {
        for (wrong in listOf("-1", "x", "1.5", "")) {
            val arguments = Arguments(arrayOf("nonce=$wrong"), emptyList(), emptySet())
            assertThrows(UsageException::class.java) { Program("test", arguments) { "main" } }
        }
    }

    @Test
    fun `a dispatcher must be named`() {
        assertThrows(UsageException::class.java) { dispatcher() }
    }

    @Test
    fun `the library tells its version`() = assertTrue(version().matches(Regex("[0-9.]+")))
}
