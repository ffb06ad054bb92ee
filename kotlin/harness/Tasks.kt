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

    /** Where nothing is recorded, no call that could suspend stands in the body of a task. */
    suspend inline fun record(
        kind: String,
        task: Int,
    ) {
        if (on) add(kind, task)
    }

    suspend fun add(
        kind: String,
        task: Int,
    ) = trace.add(kind, task, unit(currentCoroutineContext().job))

    private fun unit(job: Job): String = synchronized(numbers) { "job-${numbers.getOrPut(job) { numbers.size }}" }
}

/** Starts tasks in the scope of the program. Without a trace a body is handed on as it is, as a part of what is measured. */
class Tasks(
    private val scope: CoroutineScope,
    private val trace: Tracing,
) {
    private val numbers = AtomicInteger()

    /** Starts a task whose result is awaited. */
    suspend fun <T> start(
        i: Int,
        body: suspend CoroutineScope.() -> T,
    ): Deferred<T> = if (trace.on) recordedRun(i, body) else scope.async(block = body)

    /** The same for a task that records by itself when it is resumed. */
    suspend fun <T> startResuming(
        i: Int,
        body: suspend CoroutineScope.() -> T,
    ): Deferred<T> = if (trace.on) recorded(i, body) else scope.async(block = body)

    /** The same for a task that several may start, so that it has no number of its own but the next. */
    suspend fun <T> startNext(body: suspend CoroutineScope.() -> T): Deferred<T> =
        start(if (trace.on) numbers.getAndIncrement() else 0, body)

    /** Starts a task without a result; it records by itself. */
    suspend fun launch(
        i: Int,
        body: suspend CoroutineScope.() -> Unit,
    ): Job = if (trace.on) recordedStart(i) { scope.launch(block = body) } else scope.launch(block = body)

    private suspend fun <T> recordedRun(
        i: Int,
        body: suspend CoroutineScope.() -> T,
    ): Deferred<T> =
        recorded(i) {
            trace.add("run", i)
            body()
        }

    private suspend fun <T> recorded(
        i: Int,
        body: suspend CoroutineScope.() -> T,
    ): Deferred<T> =
        recordedStart(i) {
            scope.async {
                val result = body()
                trace.add("done", i)
                result
            }
        }

    private suspend fun <J : Job> recordedStart(
        i: Int,
        start: () -> J,
    ): J {
        trace.add("spawn", i)
        return start().also { trace.add("spawned", i) }
    }
}
