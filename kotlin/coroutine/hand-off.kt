@file:JvmName("HandOff")

package coroutine

import harness.Outcome
import kotlinx.coroutines.channels.Channel

/** Two tasks pass a token to and fro, m times each, through channels with room for one. */
private suspend fun Coroutines.alternate(m: Int): Outcome {
    val boxes = List(2) { Channel<Int>(1) }
    val players = List(2) { i -> tasks.startResuming(i) { play(i, boxes[i], boxes[1 - i], m) } }
    boxes[0].send(0)
    var finished = 0
    var messages = 0
    for (player in players) {
        messages += player.await()
        finished++
    }
    val token = boxes[0].receive() // task 1 sent it once more than task 0 received it
    return Outcome.of(messages.toLong(), "finished", finished, "messages", messages, "checksum", token)
}

fun main(words: Array<String>) =
    run(words, "hand-off", listOf("m")) {
        val m = arguments.integer("m", 1)
        repeat { alternate(m) }
    }
