@file:JvmName("Tree")

package coroutine

import harness.Outcome
import harness.UsageException

private const val CHILDREN = 10

/** What a task joined below it and itself, and the sum of its leaves. */
private class Sum(
    val tasks: Int,
    val leaves: Long,
)

private suspend fun Coroutines.node(
    first: Long,
    size: Int,
): Sum {
    if (size == 1) return Sum(1, first)
    val share = size / CHILDREN
    val children = List(CHILDREN) { i -> tasks.startNext { node(first + i.toLong() * share, share) } }
    var joined = 1
    var leaves = 0L
    for (child in children) {
        val sum = child.await()
        joined += sum.tasks
        leaves += sum.leaves
    }
    return Sum(joined, leaves)
}

/** A task for a range of leaves, which are counted from the nonce on, starts ten for the tenths of it, down to a task for each leaf. */
private suspend fun Coroutines.grow(n: Int): Outcome {
    val first = nonce.toLong()
    val sum = tasks.startNext { node(first, n) }.await()
    return Outcome.of(sum.tasks.toLong(), "finished", sum.tasks, "checksum", sum.leaves)
}

fun main(words: Array<String>) =
    run(words, "tree", listOf("n")) {
        val n = arguments.integer("n", 1)
        if (!n.toString().matches(Regex("10*"))) throw UsageException("n=$n: must be a power of ten")
        repeat { grow(n) }
    }
