@file:JvmName("Spawn")

package coroutine

import harness.Outcome

/** Starts n tasks, numbered from the nonce on, then collects and sums what they return. */
private suspend fun Coroutines.spawn(n: Int): Outcome {
    val first = nonce
    val running =
        List(n) { index ->
            val i = first + index
            tasks.start(i) { i }
        }
    val created = running.size
    var finished = 0
    var checksum = 0L
    for (task in running) {
        val result = task.await()
        trace.record("collect", result)
        checksum += result
        finished++
    }
    return Outcome.of(finished.toLong(), "created", created, "finished", finished, "checksum", checksum)
}

fun main(words: Array<String>) =
    run(words, "spawn", listOf("n")) {
        val n = arguments.integer("n", 1)
        repeat { spawn(n) }
    }
