@file:JvmName("SleepZero")

package coroutine

import harness.Outcome
import kotlinx.coroutines.delay

/** Sleeps until the count of its sleeps, which starts at [first], has come to [last]. */
private suspend fun Coroutines.sleeps(
    task: Int,
    first: Int,
    last: Int,
): Int {
    var count = first
    while (count < last) {
        delay(0)
        count++
        trace.record("run", task)
    }
    return count
}

/** k tasks sleep m times each for no time at all. */
private suspend fun Coroutines.sleepZero(
    k: Int,
    m: Int,
): Outcome {
    val first = nonce
    val running = List(k) { i -> tasks.startResuming(i) { sleeps(i, first, first + m) } }
    var finished = 0
    var checksum = 0L
    for (task in running) {
        checksum += task.await()
        finished++
    }
    return Outcome.of(checksum - finished.toLong() * first, "finished", finished, "checksum", checksum)
}

fun main(words: Array<String>) =
    run(words, "sleep-zero", listOf("k", "m")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        repeat { sleepZero(k, m) }
    }
