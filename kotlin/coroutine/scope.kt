@file:JvmName("Scope")

package coroutine

import harness.Outcome
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import java.util.concurrent.atomic.AtomicInteger

/** The error of a child; its value tells which. */
private class Failure(
    val value: Int,
) : Exception("failed with $value")

/** Scopes, one after the other, in each of which one child fails and the others are cancelled for it. */
private class Scopes(
    private val coroutines: Coroutines,
) {
    private val trace = coroutines.trace
    private val cancelled = AtomicInteger()
    private val cleaned = AtomicInteger()
    private var created = 0
    private var failed = 0
    private var checksum = 0L

    /** Waits for what never comes. */
    private suspend fun park(
        task: Int,
        siblings: Arrivals,
    ) {
        trace.record("run", task)
        try {
            siblings.arrive()
            awaitCancellation()
        } catch (cancellation: CancellationException) {
            cancelled.incrementAndGet()
            throw cancellation
        } finally {
            cleaned.incrementAndGet()
            trace.record("done", task)
        }
    }

    /** Waits until its siblings wait. */
    private suspend fun fail(
        task: Int,
        value: Int,
        siblings: Arrivals,
    ): Nothing {
        trace.record("run", task)
        siblings.await()
        trace.record("fail", task)
        throw Failure(value)
    }

    /** Starts n children, numbered from [first] on, and throws the error of the one that failed when all have ended. */
    private suspend fun open(
        first: Int,
        n: Int,
        value: Int,
    ) = coroutineScope {
        val tasks = Tasks(this, trace)
        val siblings = Arrivals(n - 1)
        val last = first + n - 1
        for (i in first..<last) {
            tasks.launch(i) { park(i, siblings) }
            created++
        }
        tasks.launch(last) { fail(last, value, siblings) }
        created++
    }

    suspend fun measure(
        n: Int,
        m: Int,
    ): Outcome {
        for (i in 0..<m) {
            trace.record("open", i)
            try {
                open(i * n, n, coroutines.nonce + i)
            } catch (failure: Failure) {
                failed++
                checksum += failure.value
            }
            trace.record("close", i)
        }
        return Outcome.of(
            cleaned.get() + failed.toLong(),
            "created",
            created,
            "failed",
            failed,
            "cancelled",
            cancelled.get(),
            "cleaned",
            cleaned.get(),
            "checksum",
            checksum,
        )
    }
}

fun main(words: Array<String>) =
    run(words, "scope", listOf("n", "m")) {
        val n = arguments.integer("n", 2)
        val m = arguments.integer("m", 1)
        repeat { Scopes(this).measure(n, m) }
    }
