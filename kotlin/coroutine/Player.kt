package coroutine

import harness.Outcome
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.channels.Channel
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

/** Tasks that wait for the token, and how it is given to the first of them, and taken from where it would find it. */
class Circle(
    val give: suspend (Int) -> Unit,
    val take: suspend () -> Int,
    val players: List<Deferred<Int>>,
)

/** A ring of channels with room for one. Returns when all k tasks are about to wait for the token. */
suspend fun Coroutines.prepare(
    k: Int,
    rounds: Int,
): Circle {
    val boxes = List(k) { Channel<Int>(1) }
    return Circle(boxes[0]::send, boxes[0]::receive, players(k) { i -> play(i, boxes[i], boxes[(i + 1) % k], rounds) })
}

/** Starts k tasks with this body. Returns when all of them are about to begin it. */
suspend fun Coroutines.players(
    k: Int,
    body: suspend (Int) -> Int,
): List<Deferred<Int>> {
    val arrivals = Arrivals(k)
    val players =
        List(k) { i ->
            tasks.startResuming(i) {
                arrivals.arrive()
                body(i)
            }
        }
    arrivals.await()
    return players
}

/** Passes a token round the ring; at first it holds the nonce. */
suspend fun Coroutines.pass(circle: Circle): Outcome {
    circle.give(nonce)
    var finished = 0
    var messages = 0
    for (player in circle.players) {
        messages += player.await()
        finished++
    }
    val token = circle.take() // the last task sent it once more than task 0 received it
    return Outcome.of(messages.toLong(), "finished", finished, "messages", messages, "checksum", token)
}
