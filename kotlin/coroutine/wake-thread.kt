@file:JvmName("WakeThread")

package coroutine

import harness.Outcome
import harness.Program
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.trySendBlocking
import java.util.concurrent.ArrayBlockingQueue
import kotlin.concurrent.thread

/** One of the two, and what has become of it when it has ended. */
private class Side {
    var received = 0
    var thread = 0L // on which it ended; it is one of the operating system's
}

/** A thread of the operating system and a task that pass a token to and fro, m times each. */
private class RoundTrips(
    private val m: Int,
    private val coroutines: Coroutines,
) {
    private val inbox = ArrayBlockingQueue<Int>(1) // the thread's
    private val channel = Channel<Int>(1) // the task's
    private val sides = List(2) { Side() }
    private val arrivals = Arrivals(2)
    private val trace = coroutines.program.trace
    private lateinit var plain: Thread
    private lateinit var task: Job

    private fun inThread() {
        val side = sides[0]
        arrivals.arrive()
        repeat(m) {
            val token = inbox.take()
            recordOfThread("run")
            side.received++
            channel.trySendBlocking(token + 1).getOrThrow()
        }
        side.thread = Thread.currentThread().threadId()
        recordOfThread("done")
    }

    private fun recordOfThread(kind: String) {
        if (trace.on()) trace.add(kind, 0, "thread-${Thread.currentThread().threadId()}")
    }

    private suspend fun inTask() {
        val side = sides[1]
        arrivals.arrive()
        repeat(m) {
            val token = channel.receive()
            coroutines.trace.record("run", 1)
            side.received++
            inbox.put(token + 1) // there is room: the thread has taken the token before
        }
        side.thread = Thread.currentThread().threadId()
        coroutines.trace.record("done", 1)
    }

    /** Returns when both are about to wait for the token. */
    suspend fun begin(): RoundTrips {
        trace.spawn(0)
        plain = thread(start = false, block = ::inThread)
        plain.setUncaughtExceptionHandler { _, error -> Program.fail(error) }
        plain.start()
        trace.spawned(0)
        task = coroutines.tasks.launch(1) { inTask() }
        arrivals.await()
        return this
    }

    suspend fun pass(): Outcome {
        inbox.put(coroutines.nonce)
        var finished = 0
        task.join()
        finished++
        plain.join() // it has nothing left to wait for
        finished++
        val token = inbox.take() // the task gave it once more than the thread took it
        return Outcome.of(
            sides[1].received.toLong(),
            "finished",
            finished,
            "messages",
            sides.sumOf { it.received },
            "threads",
            sides.distinctBy { it.thread }.size,
            "checksum",
            token,
        )
    }
}

fun main(words: Array<String>) =
    run(words, "wake-thread", listOf("m")) {
        val m = arguments.integer("m", 1)
        repeat({ RoundTrips(m, this).begin() }, RoundTrips::pass)
    }
