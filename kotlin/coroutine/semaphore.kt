@file:JvmName("Semaphore")

package coroutine

import harness.Outcome
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicInteger

/** What a task tells of itself: its permits, counted from the nonce on. */
private class Permits(
    var taken: Int,
) {
    var most = 0 // tasks that it saw inside
    var yields = 0
    var passed = 0 // permits of others between two of its own
}

/** k tasks that want one of s permits, all of which the root holds at first. */
private class Room(
    private val k: Int,
    private val s: Int,
    private val coroutines: Coroutines,
) {
    private val permits = Semaphore(s, acquiredPermits = s)
    private val nonce = coroutines.nonce
    private val inside = AtomicInteger()
    private val entered = AtomicInteger()
    private val arrivals = Arrivals(k)
    private lateinit var tasks: List<Deferred<Permits>>

    private suspend fun take(
        task: Int,
        m: Int,
    ): Permits {
        val own = Permits(nonce)
        var last = 0
        repeat(m) { turn ->
            coroutines.trace.record("ask", task)
            if (turn == 0) arrivals.arrive()
            permits.withPermit {
                coroutines.trace.record("enter", task)
                own.most = maxOf(own.most, inside.incrementAndGet())
                val number = entered.incrementAndGet()
                own.passed = maxOf(own.passed, number - last - 1)
                if (k > s) {
                    yield()
                    own.yields++
                }
                last = number
                inside.decrementAndGet()
                coroutines.trace.record("leave", task)
            }
            own.taken++
        }
        return own
    }

    /** Returns when all tasks wait for a permit. */
    suspend fun form(m: Int): Room {
        tasks = List(k) { i -> coroutines.tasks.start(i) { take(i, m) } }
        arrivals.await()
        delay(1) // in which the last one to arrive goes on to wait
        return this
    }

    suspend fun share(): Outcome {
        repeat(s) { permits.release() }
        var most = 0
        var yields = 0
        var passed = 0
        var checksum = 0L
        var finished = 0
        for (task in tasks) {
            val count = task.await()
            most = maxOf(most, count.most)
            yields += count.yields
            passed = maxOf(passed, count.passed)
            checksum += count.taken
            finished++
        }
        return Outcome.of(
            checksum - finished.toLong() * nonce,
            "finished",
            finished,
            "most",
            most,
            "yields",
            yields,
            "passed",
            passed,
            "checksum",
            checksum,
        )
    }
}

/** k tasks take one of s permits m times each, and give way while they have it. */
fun main(words: Array<String>) =
    run(words, "semaphore", listOf("k", "s", "m")) {
        val k = arguments.integer("k", 1)
        val s = arguments.integer("s", 1)
        val m = arguments.integer("m", 1)
        repeat({ Room(k, s, this).form(m) }, Room::share)
    }
