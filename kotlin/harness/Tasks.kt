package coroutine

import harness.Trace
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import java.util.IdentityHashMap
import java.util.concurrent.atomic.AtomicInteger

/** Records who runs when. A coroutine's identity is its Job; as all of them are kept, none is seen twice. */
class Tracing(
    private val trace: Trace,
) {
    private val numbers = IdentityHashMap<Job, Int>()

    val on: Boolean get() = trace.on()

    suspend fun record(
        kind: String,
        task: Int,
    ) {
        if (trace.on()) trace.add(kind, task, unit(currentCoroutineContext().job))
    }

    private fun unit(job: Job): String = synchronized(numbers) { "job-${numbers.getOrPut(job) { numbers.size }}" }
}

/** Starts tasks in the scope of the program. */
class Tasks(
    private val scope: CoroutineScope,
    private val trace: Tracing,
) {
    private val numbers = AtomicInteger()

    /** Starts a task whose result is awaited. */
    suspend fun <T> start(
        i: Int,
        body: suspend () -> T,
    ): Deferred<T> =
        startResuming(i) {
            trace.record("run", i)
            body()
        }

    /** The same for a task that records by itself when it is resumed. */
    suspend fun <T> startResuming(
        i: Int,
        body: suspend () -> T,
    ): Deferred<T> {
        trace.record("spawn", i)
        val running =
            scope.async {
                val result = body()
                trace.record("done", i)
                result
            }
        trace.record("spawned", i)
        return running
    }

    /** The same for a task that several may start, so that it has no number of its own but the next. */
    suspend fun <T> startNext(body: suspend () -> T): Deferred<T> = start(if (trace.on) numbers.getAndIncrement() else 0, body)

    /** Starts a task without a result; it records by itself. */
    suspend fun launch(
        i: Int,
        body: suspend () -> Unit,
    ): Job {
        trace.record("spawn", i)
        val running = scope.launch { body() }
        trace.record("spawned", i)
        return running
    }
}
