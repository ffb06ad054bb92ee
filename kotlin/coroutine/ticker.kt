@file:JvmName("Ticker")

package coroutine

import harness.Outcome
import kotlinx.coroutines.delay
import kotlinx.coroutines.yield
import kotlin.time.Duration.Companion.nanoseconds

private const val NS_PER_US = 1_000L

/** Tasks that do nothing but yield until they are told to end. */
private class Load(
    k: Int,
) {
    val arrivals = Arrivals(k)

    @Volatile
    var ended = false

    /** The body of a task: its yields. */
    suspend fun yields(): Long {
        arrivals.arrive()
        var count = 0L
        while (!ended) {
            yield()
            count++
        }
        return count
    }
}

/** The ticker's body: its ticks. It sleeps until each that is not yet due; one that is overdue it takes at once. */
private suspend fun tick(
    period: Long,
    lateness: LongArray,
): Int {
    var due = System.nanoTime()
    var ticks = 0
    while (ticks < lateness.size) {
        due += period
        delay((due - System.nanoTime()).nanoseconds) // returns at once where it is overdue
        lateness[ticks] = (System.nanoTime() - due).coerceAtLeast(0)
        ticks++
    }
    return ticks
}

/** One task wakes on an absolute schedule while k others yield. */
private suspend fun Coroutines.loaded(
    k: Int,
    period: Long,
    lateness: LongArray,
): Outcome {
    val load = Load(k)
    val running = List(k) { i -> tasks.start(i) { load.yields() } }
    load.arrivals.await()
    val ticks = tasks.start(k) { tick(period, lateness) }.await()
    load.ended = true
    var finished = 1
    var active = 0
    var yields = 0L
    for (task in running) {
        val count = task.await()
        if (count > 0) active++
        yields += count
        finished++
    }
    return Outcome.of(ticks.toLong(), "finished", finished, "active", active, "yields", yields)
}

fun main(words: Array<String>) =
    run(words, "ticker", listOf("k", "ticks", "period_us")) {
        val k = arguments.integer("k", 1)
        val lateness = LongArray(arguments.integer("ticks", 1))
        val period = arguments.integer("period_us", 1) * NS_PER_US
        program.laps.start()
        program.laps.stop(loaded(k, period, lateness))
        program.series("lateness", lateness)
    }
