@file:JvmName("Fizzbuzz")

package coroutine

import harness.Outcome
import kotlinx.coroutines.yield

private fun fizzbuzz(value: Int): String =
    when {
        value % 15 == 0 -> "FizzBuzz"
        value % 3 == 0 -> "Fizz"
        value % 5 == 0 -> "Buzz"
        else -> value.toString()
    }

/** What one step adds to the sum. */
internal fun worth(value: Int): Int {
    val text = fizzbuzz(value)
    return 31 * text.length + text[0].code
}

private class Steps(
    val count: Int,
    val sum: Long,
)

/** A task's m steps as a plain call. */
private fun call(
    task: Int,
    m: Int,
): Steps {
    var count = 0
    var sum = 0L
    while (count < m) sum += worth(task + count++)
    return Steps(count, sum)
}

private suspend fun yielding(
    task: Int,
    m: Int,
): Steps {
    var count = 0
    var sum = 0L
    while (count < m) {
        sum += worth(task + count++)
        yield()
    }
    return Steps(count, sum)
}

private fun add(results: List<Steps>): Outcome {
    val steps = results.sumOf { it.count }
    return Outcome.of(results.size.toLong(), "finished", results.size, "steps", steps, "checksum", results.sumOf { it.sum })
}

/** n tasks take m steps of fizzbuzz each, by [body]. */
private suspend fun Coroutines.collect(
    n: Int,
    body: suspend (Int) -> Steps,
): Outcome {
    val running = List(n) { i -> tasks.start(i) { body(i) } }
    return add(running.mapIndexed { i, task -> task.await().also { trace.record("collect", i) } })
}

fun main(words: Array<String>) =
    run(words, "fizzbuzz", listOf("phase", "n", "m")) {
        val phase = arguments.word("phase", listOf("base", "spawn", "yield"))
        val n = arguments.integer("n", 1)
        val m = arguments.integer("m", 1)
        when (phase) {
            "base" -> repeat { add(List(n) { i -> call(i, m) }) }
            "spawn" -> repeat { collect(n) { i -> call(i, m) } }
            else -> repeat { collect(n) { i -> yielding(i, m) } }
        }
    }
