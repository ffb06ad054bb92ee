package coroutine

import harness.Outcome
import java.util.concurrent.atomic.AtomicInteger

/** Looks at every resume; without trace=1 or count=1, which are never timed, there is none. */
class Watcher(
    private val trace: Tracing,
) {
    val switches = AtomicInteger()
    private val last = AtomicInteger(-1)

    suspend fun resumed(task: Int) {
        trace.record("run", task)
        if (last.getAndSet(task) != task) switches.incrementAndGet()
    }
}

/** Starts k tasks and awaits them; [body] counts from the nonce how often its task was resumed, and is compiled into that, as a part of what is measured. */
suspend inline fun Coroutines.switch(
    k: Int,
    count: Boolean,
    crossinline body: suspend (Int, Int, Watcher?) -> Int,
): Outcome {
    val watcher = if (count || trace.on) Watcher(trace) else null
    val first = nonce
    val running = List(k) { i -> tasks.startResuming(i) { body(i, first, watcher) } }
    var finished = 0
    var checksum = 0L
    for (task in running) {
        checksum += task.await()
        finished++
    }
    val resumes = checksum - k.toLong() * first
    val counted = if (count && watcher != null) arrayOf<Any>("true_switches", watcher.switches.get()) else emptyArray()
    return Outcome.of(resumes, "finished", finished, "resumes", resumes, "checksum", checksum, *counted)
}
