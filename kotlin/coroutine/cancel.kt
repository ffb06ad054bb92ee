@file:JvmName("Cancel")

package coroutine

import harness.Outcome

private suspend fun cancel(crowd: Crowd): Outcome {
    val ended = crowd.cancel()
    return Outcome.of(
        ended.finished.toLong(),
        "created",
        ended.created,
        "cancelled",
        ended.cancelled,
        "finished",
        ended.finished,
    )
}

/** n parked tasks are cancelled, clean up and are joined. */
fun main(words: Array<String>) =
    run(words, "cancel", listOf("n")) {
        val n = arguments.integer("n", 1)
        program.hold("base", 0)
        repeat({ Crowd(this).park(n) }, ::cancel)
        program.hold("released", 0)
    }
