@file:JvmName("Baseline")

package coroutine

import harness.Outcome

private fun body(i: Int) = i

/** Calls a plain function n times and sums what it returns: the language without tasks. */
private fun call(
    n: Int,
    first: Int,
): Outcome {
    var finished = 0
    var checksum = 0L
    for (i in first..<first + n) {
        checksum += body(i)
        finished++
    }
    return Outcome.of(finished.toLong(), "finished", finished, "checksum", checksum)
}

fun main(words: Array<String>) =
    run(words, "baseline", listOf("n")) {
        val n = arguments.integer("n", 1)
        repeat { call(n, nonce) }
    }
