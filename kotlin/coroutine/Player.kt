package coroutine

import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel

/** The task of hand-off and ring: receives the token, adds one and sends it on, and returns how often it had it. */
suspend fun Coroutines.play(
    i: Int,
    inbox: ReceiveChannel<Int>,
    outbox: SendChannel<Int>,
    rounds: Int,
): Int {
    var received = 0
    while (received < rounds) {
        val token = inbox.receive()
        trace.record("run", i)
        received++
        outbox.send(token + 1)
    }
    return received
}
