package coroutine

import harness.Outcome
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.delay
import java.util.concurrent.atomic.AtomicInteger

/** Parks n tasks, numbered from the nonce on, at one gate and holds the process still before, while and after they live. */
class Parking(
    private val coroutines: Coroutines,
) {
    private val parked = AtomicInteger()
    private val opened = CompletableDeferred<Unit>()
    private val first = coroutines.nonce

    /** Parks task i until the gate is opened. Inline: a function of ours would cost each task a second continuation. */
    internal suspend inline fun await(i: Int) {
        coroutines.trace.record("park", i)
        parked.incrementAndGet()
        opened.await()
        parked.decrementAndGet()
    }

    /** The tasks run [body], which waits at the gate once and returns the number of the task. */
    suspend fun measure(
        n: Int,
        body: suspend (Int) -> Int,
    ): Outcome {
        hold("base")
        val tasks =
            MutableList(n) { index ->
                val i = first + index
                coroutines.tasks.start(i) { body(i) }
            }
        val created = tasks.size
        while (parked.get() < n) delay(1)
        hold("live")
        System.gc()
        hold("live-collected")
        opened.complete(Unit)
        val outcome = join(created, tasks)
        hold("released")
        System.gc()
        hold("released-collected")
        return outcome
    }

    /** Awaits the tasks and drops their handles. */
    private suspend fun join(
        created: Int,
        tasks: MutableList<Deferred<Int>>,
    ): Outcome {
        var finished = 0
        var checksum = 0L
        for (task in tasks) {
            checksum += task.await()
            finished++
        }
        tasks.clear()
        return Outcome.of(finished.toLong(), "created", created, "finished", finished, "checksum", checksum)
    }

    private fun hold(point: String) = coroutines.program.hold(point, parked.get().toLong())
}

/** The whole program of a memory workload. */
fun park(
    words: Array<String>,
    workload: String,
    body: suspend (Int, Parking) -> Int,
) = run(words, workload, listOf("n")) {
    val parking = Parking(this)
    program.laps.start()
    program.laps.stop(parking.measure(arguments.integer("n", 1)) { i -> body(i, parking) })
}
