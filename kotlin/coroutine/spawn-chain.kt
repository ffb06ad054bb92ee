@file:JvmName("SpawnChain")

package coroutine

import harness.Outcome
import kotlinx.coroutines.CompletableDeferred

/** Tasks are numbered from the nonce on. Each starts the next as its last act; the root waits for the last one only. */
private class Chain(
    n: Int,
    private val coroutines: Coroutines,
) {
    private val first = coroutines.nonce
    private val end = first + n
    private val ended = CompletableDeferred<Unit>()

    // Starting a coroutine happens before its first action, so that these need no lock.
    private var finished = 0
    private var checksum = 0L

    /** The end of a task is recorded before it starts the next, because both may run at once. */
    private suspend fun link(i: Int) {
        coroutines.trace.record("run", i)
        checksum += i
        finished++
        coroutines.trace.record("done", i)
        if (i + 1 < end) {
            coroutines.tasks.launch(i + 1) { link(i + 1) }
        } else {
            ended.complete(Unit)
        }
    }

    suspend fun measure(): Outcome {
        coroutines.tasks.launch(first) { link(first) }
        ended.await()
        return Outcome.of(finished.toLong(), "finished", finished, "checksum", checksum)
    }
}

fun main(words: Array<String>) =
    run(words, "spawn-chain", listOf("n")) {
        val n = arguments.integer("n", 1)
        repeat { Chain(n, this).measure() }
    }
