@file:JvmName("Switch")

package coroutine

import harness.Outcome
import kotlinx.coroutines.yield
import java.util.concurrent.atomic.AtomicInteger

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

/** A task's body: how often it was resumed. */
private suspend fun yields(
    task: Int,
    m: Int,
    watcher: Watcher?,
): Int {
    var resumes = 0
    while (resumes < m) {
        yield()
        resumes++
        watcher?.resumed(task)
    }
    return resumes
}

/** Lets k tasks yield m times each. */
private suspend fun Coroutines.switch(
    k: Int,
    m: Int,
    count: Boolean,
): Outcome {
    val watcher = if (count || trace.on) Watcher(trace) else null
    val running = List(k) { i -> tasks.startResuming(i) { yields(i, m, watcher) } }
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
    run(words, "switch", listOf("k", "m"), setOf("count")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        val count = arguments.flag("count")
        repeat { switch(k, m, count) }
    }
