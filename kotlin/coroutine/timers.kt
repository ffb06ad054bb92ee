@file:JvmName("Timers")

package coroutine

import harness.Outcome
import kotlinx.coroutines.delay
import kotlin.time.Duration.Companion.nanoseconds

private const val SPREAD_NS = 1_000_000_000L
private const val NS_PER_MS = 1_000_000L

/** The number of a task, and how many nanoseconds after its deadline it went on. */
private class Woken(
    val number: Int,
    val late: Long,
)

private suspend fun sleepUntil(
    deadline: Long,
    number: Int,
): Woken {
    delay((deadline - System.nanoTime()).nanoseconds) // none where that is past
    return Woken(number, System.nanoTime() - deadline)
}

/** n tasks sleep once, each until a deadline of its own within one second. */
private suspend fun Coroutines.sleep(
    n: Int,
    lead: Int,
    lateness: LongArray,
): Outcome {
    val start = System.nanoTime() + lead * NS_PER_MS
    val running = List(n) { i -> tasks.start(i) { sleepUntil(start + i * SPREAD_NS / n, i) } }
    var finished = 0
    var early = 0
    var checksum = 0L
    for (task in running) {
        val woken = task.await()
        if (woken.late < -NS_PER_MS) early++
        lateness[finished] = woken.late.coerceAtLeast(0)
        checksum += woken.number
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
