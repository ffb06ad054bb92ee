@file:JvmName("Cancel")

package coroutine

import harness.Outcome
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import java.util.concurrent.atomic.AtomicInteger

/** n parked tasks are cancelled, clean up and are joined. */
private class Crowd(
    private val coroutines: Coroutines,
) {
    private val parked = AtomicInteger()
    private val cleaned = AtomicInteger()
    private lateinit var tasks: List<Job>

    private suspend fun task(i: Int) {
        coroutines.trace.record("run", i)
        try {
            parked.incrementAndGet()
            awaitCancellation()
        } finally {
            cleaned.incrementAndGet()
            coroutines.trace.record("done", i)
        }
    }

    /** Returns when all n tasks wait. */
    suspend fun park(n: Int): Crowd {
        tasks = List(n) { i -> coroutines.tasks.launch(i) { task(i) } }
        while (parked.get() < n) delay(1)
        delay(1) // in which those that only gave way go on
        return this
    }

    suspend fun cancel(): Outcome {
        val waited = tasks.size - cleaned.get()
        for (task in tasks) task.cancel()
        var finished = 0
        for (task in tasks) {
            task.join()
            finished++
        }
        return Outcome.of(finished.toLong(), "created", waited, "cancelled", cleaned.get(), "finished", finished)
    }
}

fun main(words: Array<String>) =
    run(words, "cancel", listOf("n")) {
        val n = arguments.integer("n", 1)
        program.hold("base", 0)
        repeat({ Crowd(this).park(n) }, Crowd::cancel)
        program.hold("released", 0)
    }
