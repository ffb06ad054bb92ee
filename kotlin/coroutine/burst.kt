@file:JvmName("Burst")

package coroutine

import harness.Outcome
import kotlinx.coroutines.delay

/** Bursts of n tasks, numbered from the nonce on over all of them. */
private class Bursts(
    private val n: Int,
    bursts: Int,
    private val coroutines: Coroutines,
) {
    private val first = coroutines.nonce
    val starts = LongArray(n * bursts) // ns from the beginning of its burst to a task's first run
    private var created = 0
    private var finished = 0
    private var checksum = 0L

    /** Returns when the last task of the burst first ran. */
    private suspend fun burst(place: Int): Long {
        val began = System.nanoTime()
        val running =
            List(n) { index ->
                val i = place + index
                coroutines.tasks.start(first + i) {
                    starts[i] = System.nanoTime() - began
                    first + i
                }
            }
        created += running.size
        for (task in running) {
            val number = task.await()
            coroutines.trace.record("collect", number)
            checksum += number
            finished++
        }
        return (place..<place + n).maxOf(starts::get)
    }

    /** Sleeps before each burst. */
    suspend fun measure(idle: Long): Outcome {
        var last = 0L
        for (place in starts.indices step n) {
            delay(idle)
            last += burst(place)
        }
        return Outcome.of(finished.toLong(), "created", created, "finished", finished, "checksum", checksum, "last_ns", last)
    }
}

fun main(words: Array<String>) =
    run(words, "burst", listOf("n", "bursts", "idle_ms")) {
        val bursts = Bursts(arguments.integer("n", 1), arguments.integer("bursts", 1), this)
        val idle = arguments.integer("idle_ms", 0).toLong()
        program.laps.start()
        program.laps.stop(bursts.measure(idle))
        program.series("start", bursts.starts)
    }
