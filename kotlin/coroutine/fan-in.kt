@file:JvmName("FanIn")

package coroutine

import harness.Outcome
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel

private const val ROOM = 128

/** Of any type, so that a number is made an object once and not for each message. */
private suspend fun <T> produce(
    value: T,
    m: Int,
    queue: SendChannel<T>,
) = repeat(m) { queue.send(value) }

private suspend fun consume(
    messages: Int,
    queue: ReceiveChannel<Int>,
): Received {
    var received = 0
    var sum = 0L
    while (received < messages) {
        sum += queue.receive()
        received++
    }
    return Received(received, sum)
}

/** Several producers send to one consumer through a channel with room for 128. */
private suspend fun Coroutines.fanIn(
    p: Int,
    m: Int,
): Outcome {
    val queue = Channel<Int>(ROOM)
    val first = nonce + 1
    val producers =
        List(p) { i ->
            val value = first + i
            tasks.start(i) { produce(value, m, queue) }
        }
    val consumer = tasks.start(p) { consume(p * m, queue) }
    var finished = 0
    for (producer in producers) {
        producer.await()
        finished++
    }
    val received = consumer.await()
    finished++
    return Outcome.of(
        received.messages.toLong(),
        "finished",
        finished,
        "messages",
        received.messages,
        "checksum",
        received.sum,
    )
}

fun main(words: Array<String>) =
    run(words, "fan-in", listOf("p", "m")) {
        val p = arguments.integer("p", 1)
        val m = arguments.integer("m", 1)
        repeat { fanIn(p, m) }
    }
