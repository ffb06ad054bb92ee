@file:JvmName("HandOff")

package coroutine.limit

import coroutine.Circle
import coroutine.Coroutines
import coroutine.Mailbox
import coroutine.pass
import coroutine.players
import coroutine.run

/** Takes the token, adds one and passes it on. Written out: a loop shared with the channels, inlined, takes 1.14 and theirs 1.05 of the time. */
private suspend fun Coroutines.play(
    i: Int,
    inbox: Mailbox,
    outbox: Mailbox,
    rounds: Int,
): Int {
    var received = 0
    while (received < rounds) {
        val token = inbox.take()
        trace.record("run", i)
        received++
        outbox.put(token + 1)
    }
    return received
}

private suspend fun Coroutines.prepare(m: Int): Circle {
    val boxes = List(2) { Mailbox() }
    return Circle({ boxes[0].put(it) }, boxes[0]::take, players(2) { i -> play(i, boxes[i], boxes[1 - i], m) })
}

/** Two tasks pass a token to and fro, m times each, through mailboxes of our own. */
fun main(words: Array<String>) =
    run(words, "hand-off", listOf("m")) {
        val m = arguments.integer("m", 1)
        repeat({ prepare(m) }) { pass(it) }
    }
