@file:JvmName("Channel")

package coroutine

import harness.Outcome
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel

/** Sends m messages, the first of which is [first]. */
private suspend fun Coroutines.produce(
    task: Int,
    queue: SendChannel<Int>,
    first: Int,
    m: Int,
) {
    for (message in first..<first + m) {
        queue.send(message)
        trace.record("run", task)
    }
}

/** Receives until the channel is closed. */
private suspend fun Coroutines.consume(
    task: Int,
    queue: ReceiveChannel<Int>,
): Received {
    var messages = 0
    var sum = 0L
    for (message in queue) {
        trace.record("run", task)
        messages++
        sum += message
    }
    return Received(messages, sum)
}

/** Several producers send to several consumers, which share one channel with room for [b] messages. */
private suspend fun Coroutines.send(
    p: Int,
    c: Int,
    b: Int,
    m: Int,
): Outcome {
    val queue = Channel<Int>(b)
    val first = nonce
    val producers = List(p) { i -> tasks.start(i) { produce(i, queue, first + i * m, m) } }
    val consumers = List(c) { i -> tasks.start(p + i) { consume(p + i, queue) } }
    var finished = 0
    for (producer in producers) {
        producer.await()
        finished++
    }
    queue.close()
    var messages = 0
    var most = 0
    var checksum = 0L
    for (consumer in consumers) {
        val received = consumer.await()
        messages += received.messages
        most = maxOf(most, received.messages)
        checksum += received.sum
        finished++
    }
    return Outcome.of(
        messages.toLong(),
        "finished",
        finished,
        "messages",
        messages,
        "most",
        most,
        "checksum",
        checksum,
    )
}

fun main(words: Array<String>) =
    run(words, "channel", listOf("p", "c", "b", "m")) {
        val p = arguments.integer("p", 1)
        val c = arguments.integer("c", 1)
        val b = arguments.integer("b", 1)
        val m = arguments.integer("m", 1)
        repeat { send(p, c, b, m) }
    }
