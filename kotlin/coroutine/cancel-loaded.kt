@file:JvmName("CancelLoaded")

package coroutine

import harness.Outcome
import kotlinx.coroutines.Job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicInteger

/** A crowd, and k tasks beside it that do nothing but yield until they are told to end. */
private class Loaded(
    private val k: Int,
    private val coroutines: Coroutines,
) {
    private val crowd = Crowd(coroutines)
    private val arrivals = Arrivals(k)
    private val active = AtomicInteger() // those that have yielded and not ended
    private lateinit var load: List<Job>

    @Volatile
    private var ended = false

    private suspend fun yields(i: Int) {
        coroutines.trace.record("run", i)
        yield()
        active.incrementAndGet()
        arrivals.arrive()
        while (!ended) yield()
        active.decrementAndGet()
        coroutines.trace.record("done", i)
    }

    /** Returns when the tasks of the load have yielded and n others wait. */
    suspend fun park(n: Int): Loaded {
        load = List(k) { i -> coroutines.tasks.launch(i) { yields(i) } }
        crowd.park(n, first = k)
        arrivals.await()
        return this
    }

    suspend fun cancel(): Outcome {
        val cancelled = crowd.cancel()
        return Outcome.of(
            cancelled.finished.toLong(),
            "created",
            cancelled.created,
            "cancelled",
            cancelled.cancelled,
            "finished",
            cancelled.finished,
            "active",
            active.get(),
        )
    }

    /** Ends the load. */
    suspend fun stop() {
        ended = true
        load.joinAll()
    }
}

/** n parked tasks are cancelled, clean up and are joined while k others yield. */
fun main(words: Array<String>) =
    run(words, "cancel-loaded", listOf("n", "k")) {
        val n = arguments.integer("n", 1)
        val k = arguments.integer("k", 1)
        repeat({ Loaded(k, this).park(n) }, Loaded::cancel, Loaded::stop)
    }
