@file:JvmName("Ring")

package coroutine

import harness.Outcome
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.channels.Channel
import java.util.concurrent.atomic.AtomicInteger

private class Circle(
    val boxes: List<Channel<Int>>,
    val players: List<Deferred<Int>>,
)

/** Returns when all k tasks are about to wait for the token. */
private suspend fun Coroutines.prepare(
    k: Int,
    rounds: Int,
): Circle {
    val boxes = List(k) { Channel<Int>(1) }
    val missing = AtomicInteger(k)
    val arrived = CompletableDeferred<Unit>()
    val players =
        List(k) { i ->
            tasks.startResuming(i) {
                if (missing.decrementAndGet() == 0) arrived.complete(Unit)
                play(i, boxes[i], boxes[(i + 1) % k], rounds)
            }
        }
    arrived.await()
    return Circle(boxes, players)
}

/** Passes a token round the ring. */
private suspend fun pass(circle: Circle): Outcome {
    circle.boxes[0].send(0)
    var finished = 0
    var messages = 0
    for (player in circle.players) {
        messages += player.await()
        finished++
    }
    val token = circle.boxes[0].receive()
    return Outcome.of(messages.toLong(), "finished", finished, "messages", messages, "checksum", token)
}

fun main(words: Array<String>) =
    run(words, "ring", listOf("k", "rounds")) {
        val k = arguments.integer("k", 1)
        val rounds = arguments.integer("rounds", 1)
        repeat({ prepare(k, rounds) }, ::pass)
    }
