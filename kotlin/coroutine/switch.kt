@file:JvmName("Switch")

package coroutine

import kotlinx.coroutines.yield

/** Yields m times: how often the task was resumed. */
private suspend fun yields(
    task: Int,
    m: Int,
    watcher: Watcher?,
): Int {
    var resumes = 0
    while (resumes < m) {
        yield()
        resumes++
        watcher?.resumed(task)
    }
    return resumes
}

/** Lets k tasks yield m times each. */
fun main(words: Array<String>) =
    run(words, "switch", listOf("k", "m"), setOf("count")) {
        val k = arguments.integer("k", 1)
        val m = arguments.integer("m", 1)
        val count = arguments.flag("count")
        repeat { switch(k, count) { i, watcher -> yields(i, m, watcher) } }
    }
