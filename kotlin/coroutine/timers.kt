@file:JvmName("Timers")

package coroutine

import harness.Outcome
import kotlinx.coroutines.delay
import kotlin.time.Duration.Companion.nanoseconds

private const val SPREAD_NS = 1_000_000_000L
private const val NS_PER_MS = 1_000_000L

/** Sleeps until the deadline, and returns how many nanoseconds after it the task went on. */
private suspend fun sleepUntil(deadline: Long): Long {
    delay((deadline - System.nanoTime()).nanoseconds) // none where that is past
    return System.nanoTime() - deadline
}

/** n tasks sleep once, each until a deadline of its own within one second. */
private suspend fun Coroutines.sleep(
    n: Int,
    lead: Int,
    lateness: LongArray,
): Outcome {
    val start = System.nanoTime() + lead * NS_PER_MS
    val running = List(n) { i -> tasks.start(i) { sleepUntil(start + i * SPREAD_NS / n) } }
    var finished = 0
    var early = 0
    var checksum = 0L
    for ((i, task) in running.withIndex()) {
        val late = task.await()
        if (late < -NS_PER_MS) early++
        lateness[i] = late.coerceAtLeast(0)
        checksum += i
        finished++
    }
    return Outcome.of(finished.toLong(), "created", running.size, "finished", finished, "checksum", checksum, "early", early)
}

fun main(words: Array<String>) =
    run(words, "timers", listOf("n", "lead")) {
        val n = arguments.integer("n", 1)
        val lead = arguments.integer("lead", 0)
        val lateness = LongArray(n)
        program.laps.start()
        program.laps.stop(sleep(n, lead, lateness))
        program.series("lateness", lateness)
    }
