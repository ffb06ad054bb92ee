@file:JvmName("Select")

package coroutine

import harness.Outcome
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.selects.select

/** What came through each channel, and the sum of all. */
private class Selected(
    val counts: IntArray,
    val sum: Long,
)

/** Task 0: takes messages from whichever channel is ready, and answers after every [w] of them. */
private suspend fun Coroutines.receive(
    channels: List<ReceiveChannel<Int>>,
    answers: SendChannel<Int>,
    w: Int,
    m: Int,
): Selected {
    val counts = IntArray(channels.size)
    var sum = 0L
    for (received in 1..channels.size * m) {
        sum +=
            select<Int> {
                channels.forEachIndexed { i, channel ->
                    channel.onReceive { message ->
                        counts[i]++
                        message
                    }
                }
            }
        trace.record("run", 0)
        if (received % w == 0) answers.send(received)
    }
    return Selected(counts, sum)
}

/** Task 1: sends in an order that the nonce draws; each round visits every channel once, as their number is a power of two. */
private suspend fun Coroutines.send(
    channels: List<SendChannel<Int>>,
    answers: ReceiveChannel<Int>,
    w: Int,
    m: Int,
    first: Int,
) {
    var sent = 0
    for (round in first.toLong()..<first + m.toLong()) {
        for (turn in channels.indices) {
            channels[((round + turn * (2 * round + 1)) % channels.size).toInt()].send(first + sent)
            sent++
            if (sent % w == 0) {
                answers.receive()
                trace.record("run", 1)
            }
        }
    }
}

/** One task waits on k channels at once, another sends through them in an order that the first does not know. */
private suspend fun Coroutines.pass(
    k: Int,
    w: Int,
    m: Int,
): Outcome {
    val channels = List(k) { Channel<Int>(1) }
    val answers = Channel<Int>(1)
    val first = nonce
    val receiver = tasks.startResuming(0) { receive(channels, answers, w, m) }
    val sender = tasks.startResuming(1) { send(channels, answers, w, m, first) }
    var finished = 0
    val received = receiver.await()
    finished++
    sender.await()
    finished++
    val messages = received.counts.sum()
    return Outcome.of(
        messages.toLong(),
        "finished",
        finished,
        "messages",
        messages,
        "least",
        received.counts.min(),
        "most",
        received.counts.max(),
        "checksum",
        received.sum,
    )
}

fun main(words: Array<String>) =
    run(words, "select", listOf("k", "w", "m")) {
        val k = arguments.integer("k", 1)
        val w = arguments.integer("w", 1)
        val m = arguments.integer("m", 1)
        repeat { pass(k, w, m) }
    }
