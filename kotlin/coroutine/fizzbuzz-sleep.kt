@file:JvmName("FizzbuzzSleep")

package coroutine

import harness.Outcome
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.delay
import java.util.concurrent.atomic.AtomicInteger

private const val NS_PER_MS = 1_000_000L

/** What a task did, and how many nanoseconds late its last sleep ended. */
private class Sleeper(
    val steps: Int,
    val sum: Long,
    val late: Long,
)

/** The tasks that have gone to sleep and have not ended yet. */
private class SleepingTasks(
    private val coroutines: Coroutines,
    private val places: Int,
) {
    private val alive = AtomicInteger()
    private val asleep = AtomicInteger() // all that ever slept: the first may end before the last is there
    val allAsleep = CompletableDeferred<Unit>()

    /** A task counts itself as its last act before its first sleep. */
    suspend fun enter(task: Int) {
        coroutines.trace.record("park", task)
        alive.incrementAndGet()
        if (asleep.incrementAndGet() == places) allAsleep.complete(Unit)
    }

    fun leave() {
        alive.decrementAndGet()
    }

    fun hold(point: String): Int = alive.get().also { coroutines.program.hold(point, it.toLong()) }
}

private suspend fun sleeping(
    task: Int,
    m: Int,
    sleepMs: Long,
    sleepers: SleepingTasks,
): Sleeper {
    var steps = 0
    var sum = 0L
    var late = 0L
    while (steps < m) {
        sum += worth(task + steps)
        if (steps++ == 0) sleepers.enter(task)
        val due = System.nanoTime() + sleepMs * NS_PER_MS
        delay(sleepMs)
        late = System.nanoTime() - due
    }
    sleepers.leave()
    return Sleeper(steps, sum, late.coerceAtLeast(0))
}

/** n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep. */
private suspend fun Coroutines.sleepAll(
    n: Int,
    sleepers: SleepingTasks,
    lateness: LongArray,
    body: suspend (Int) -> Sleeper,
): Outcome {
    val running = List(n) { i -> tasks.start(i) { body(i) } }
    sleepers.allAsleep.await()
    val mostAlive = sleepers.hold("live")
    val done = running.mapIndexed { i, task -> task.await().also { trace.record("collect", i) } }
    done.forEachIndexed { i, sleeper -> lateness[i] = sleeper.late }
    val steps = done.sumOf { it.steps }
    val sum = done.sumOf { it.sum }
    return Outcome.of(steps.toLong(), "finished", done.size, "steps", steps, "checksum", sum, "most_alive", mostAlive)
}

fun main(words: Array<String>) =
    run(words, "fizzbuzz-sleep", listOf("n", "m", "sleep_ms")) {
        val n = arguments.integer("n", 1)
        val m = arguments.integer("m", 1)
        val sleepMs = arguments.integer("sleep_ms", 1).toLong()
        val sleepers = SleepingTasks(this, n)
        val lateness = LongArray(n)
        sleepers.hold("base")
        program.laps.start()
        program.laps.stop(sleepAll(n, sleepers, lateness) { i -> sleeping(i, m, sleepMs, sleepers) })
        program.series("lateness", lateness)
    }
