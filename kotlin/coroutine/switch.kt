@file:JvmName("Switch")

package coroutine

import harness.Outcome
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume

/** Looks at every resume; without trace=1 or count=1, which are never timed, there is none. */
private class Watcher(
    private val trace: Tracing,
) {
    val switches = AtomicInteger()
    private val last = AtomicInteger(-1)

    suspend fun resumed(task: Int) {
        trace.record("run", task)
        if (last.getAndSet(task) != task) switches.incrementAndGet()
    }
}

/** Pauses m times: how often the task was resumed. Compiled into each of its callers. */
private suspend inline fun pauses(
    task: Int,
    m: Int,
    watcher: Watcher?,
    pause: () -> Unit,
): Int {
    var resumes = 0
    while (resumes < m) {
        pause()
        resumes++
        watcher?.resumed(task)
    }
    return resumes
}

/** A task's body. */
private suspend fun yields(
    task: Int,
    m: Int,
    watcher: Watcher?,
): Int = pauses(task, m, watcher) { yield() }

/** Goes to the back of the event loop's queue, without the look for a cancellation and for the dispatcher's kind that [yield] takes. */
private suspend fun resumeLater() =
    suspendCoroutineUninterceptedOrReturn<Unit> { continuation ->
        continuation.intercepted().resume(Unit)
        COROUTINE_SUSPENDED
    }

/** The same by [resumeLater]. */
private suspend fun resumesLater(
    task: Int,
    m: Int,
    watcher: Watcher?,
): Int = pauses(task, m, watcher) { resumeLater() }

/** Lets k tasks yield m times each. */
private suspend fun Coroutines.switch(
    k: Int,
    m: Int,
    count: Boolean,
    limit: Boolean,
): Outcome {
    val watcher = if (count || trace.on) Watcher(trace) else null
    val running =
        if (limit) {
            List(k) { i -> tasks.startResuming(i) { resumesLater(i, m, watcher) } }
        } else {
            List(k) { i -> tasks.startResuming(i) { yields(i, m, watcher) } }
        }
    var finished = 0
    var resumes = 0
    for (task in running) {
        resumes += task.await()
        finished++
    }
    val counted = if (count && watcher != null) arrayOf<Any>("true_switches", watcher.switches.get()) else emptyArray()
    return Outcome.of(resumes.toLong(), "finished", finished, "resumes", resumes, *counted)
}

fun main(words: Array<String>) =
    run(words, "switch", listOf("k", "m"), setOf("count", "limit")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        val count = arguments.flag("count")
        val limit = arguments.flag("limit")
        repeat { switch(k, m, count, limit) }
    }
