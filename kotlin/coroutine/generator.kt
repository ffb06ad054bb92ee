@file:JvmName("Generator")

package coroutine

import harness.Outcome
import harness.Trace

/** An iterator that hands out one more than it was sent last. It takes nothing in: what it is sent lies in [sent]. */
private class Adder(
    private val n: Int,
    var sent: Int,
    private val trace: Trace,
) {
    /** Volatile, so that no compiler knows which iterator is resumed. */
    @Volatile
    var handle: Iterator<Int> =
        iterator {
            repeat(n) {
                yield(sent)
                sent++
                record("run")
            }
            record("done")
        }

    /** Its name in a trace is given here, as no scheduler knows it; that it runs is asked of the language. */
    private fun record(kind: String) {
        if (trace.on()) trace.add(kind, 0, if (running()) "iterator" else "main")
    }

    /** An iterator that runs refuses to be resumed. */
    private fun running(): Boolean = runCatching { handle.hasNext() }.exceptionOrNull() is IllegalStateException
}

/** Resumes one iterator n times, by what the language has for that, and without any scheduler. */
private fun Coroutines.resume(n: Int): Outcome {
    val first = nonce
    program.trace.spawn(0)
    val adder = Adder(n, first, program.trace)
    program.trace.spawned(0)
    val handle = adder.handle
    while (handle.hasNext()) adder.sent = handle.next()
    val finished = if (handle.hasNext()) 0 else 1
    return Outcome.of(adder.sent - first.toLong(), "finished", finished, "checksum", adder.sent)
}

fun main(words: Array<String>) =
    run(words, "generator", listOf("n")) {
        val n = arguments.integer("n", 1)
        repeat { resume(n) }
    }
