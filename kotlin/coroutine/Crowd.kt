package coroutine

import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import java.util.concurrent.atomic.AtomicInteger

/** What has become of a crowd: those that waited, clean-ups, joins. */
class Ended(
    val created: Int,
    val cancelled: Int,
    val finished: Int,
)

/** Parked tasks that are cancelled, clean up and are joined: those of cancel and of cancel-loaded. */
class Crowd(
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

    /** Starts n tasks, numbered from [first] on. Returns when all of them wait. */
    suspend fun park(
        n: Int,
        first: Int = 0,
    ): Crowd {
        tasks =
            List(n) { index ->
                val i = first + index
                coroutines.tasks.launch(i) { task(i) }
            }
        while (parked.get() < n) delay(1)
        delay(1) // in which those that only gave way go on
        return this
    }

    suspend fun cancel(): Ended {
        val waited = tasks.size - cleaned.get()
        for (task in tasks) task.cancel()
        var finished = 0
        for (task in tasks) {
            task.join()
            finished++
        }
        return Ended(waited, cleaned.get(), finished)
    }
}
