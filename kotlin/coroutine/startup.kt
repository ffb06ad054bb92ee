@file:JvmName("Startup")

package coroutine

import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking

private fun firstTask(): Int = runBlocking(dispatcher()) { async { 1 }.await() }

/** Does what the mode asks for, and returns how many tasks finished. */
private fun perform(mode: String): Int {
    if (mode == "bare") return 0
    check(firstTask() == 1) { "the task did not return 1" }
    return 1
}

/** The smallest process, or one task. The harness is loaded only for the report, which verify asks for. */
fun main(words: Array<String>) {
    when (words.singleOrNull()) {
        "mode=bare" -> return
        "mode=first-task" -> perform("first-task")
        else -> report(words, ::perform)
    }
}
