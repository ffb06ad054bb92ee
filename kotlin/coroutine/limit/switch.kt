@file:JvmName("Switch")

package coroutine.limit

import coroutine.Watcher
import coroutine.run
import coroutine.switch
import kotlinx.coroutines.yield
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume

/** Goes to the back of the event loop's queue, without the look for a cancellation and for the dispatcher's kind that [yield] takes. */
private suspend fun resumeLater() =
    suspendCoroutineUninterceptedOrReturn<Unit> { continuation ->
        continuation.intercepted().resume(Unit)
        COROUTINE_SUSPENDED
    }

/** Resumes itself until the count of its resumes, which starts at [first], has come to [last]. */
private suspend fun resumesLater(
    task: Int,
    first: Int,
    last: Int,
    watcher: Watcher?,
): Int {
    var count = first
    while (count < last) {
        resumeLater()
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
        repeat { switch(k, count) { i, first, watcher -> resumesLater(i, first, first + m, watcher) } }
    }
