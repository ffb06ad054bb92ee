@file:JvmName("Mutex")

package coroutine

import harness.Outcome
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.yield

/** What a task tells of itself: its acquisitions, and the most by others between two of them. */
private class Acquisitions(
    val acquired: Int,
    val passed: Int,
)

/** What the lock guards. A task gives way between reading the value and writing it: two that are inside at once lose an increment. */
private class Section(
    var value: Int,
) {
    var most = 0
        private set
    var yields = 0
    private var inside = 0

    /** Returns the value that is found. */
    fun enter(): Int {
        inside++
        most = maxOf(most, inside)
        return value
    }

    fun leave(left: Int) {
        value = left
        inside--
    }
}

/** k tasks that want one lock, which the root holds at first. */
private class Contest(
    private val k: Int,
    private val coroutines: Coroutines,
) {
    private val lock = Mutex(locked = true)
    private val nonce = coroutines.nonce
    private val section = Section(nonce)
    private val arrivals = Arrivals(k)
    private lateinit var tasks: List<Deferred<Acquisitions>>

    private suspend fun take(
        task: Int,
        m: Int,
    ): Acquisitions {
        var acquired = 0
        var passed = 0
        var last = nonce
        while (acquired < m) {
            coroutines.trace.record("ask", task)
            if (acquired == 0) arrivals.arrive()
            lock.withLock {
                coroutines.trace.record("enter", task)
                val found = section.enter()
                passed = maxOf(passed, found - last)
                if (k > 1) {
                    yield()
                    section.yields++
                }
                last = found + 1
                section.leave(last)
                coroutines.trace.record("leave", task)
            }
            acquired++
        }
        return Acquisitions(acquired, passed)
    }

    /** Returns when all tasks wait for the lock. */
    suspend fun form(m: Int): Contest {
        tasks = List(k) { i -> coroutines.tasks.start(i) { take(i, m) } }
        arrivals.await()
        delay(1) // in which the last one to arrive goes on to wait
        return this
    }

    suspend fun contend(): Outcome {
        lock.unlock()
        var acquired = 0L
        var passed = 0
        var finished = 0
        for (task in tasks) {
            val count = task.await()
            acquired += count.acquired
            passed = maxOf(passed, count.passed)
            finished++
        }
        return Outcome.of(
            acquired,
            "finished",
            finished,
            "most",
            section.most,
            "yields",
            section.yields,
            "passed",
            passed,
            "checksum",
            section.value,
        )
    }
}

/** k tasks take one lock m times each, and give way inside. */
fun main(words: Array<String>) =
    run(words, "mutex", listOf("k", "m")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        repeat({ Contest(k, this).form(m) }, Contest::contend)
    }
