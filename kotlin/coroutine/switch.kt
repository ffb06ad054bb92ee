@file:JvmName("Switch")

package coroutine

import kotlinx.coroutines.yield

/** Yields until the count of its resumes, which starts at [first], has come to [last]. */
private suspend fun yields(
    task: Int,
    first: Int,
    last: Int,
    watcher: Watcher?,
): Int {
    var count = first
    while (count < last) {
        yield()
        count++
        watcher?.resumed(task)
    }
    return count
}

/** Lets k tasks yield m times each. */
fun main(words: Array<String>) =
    run(words, "switch", listOf("k", "m"), setOf("count")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        val count = arguments.flag("count")
        repeat { switch(k, count) { i, first, watcher -> yields(i, first, first + m, watcher) } }
    }
