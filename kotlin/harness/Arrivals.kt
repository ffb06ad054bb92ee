package coroutine

import kotlinx.coroutines.CompletableDeferred
import java.util.concurrent.atomic.AtomicInteger

/** Tells whoever waits for it when as many tasks as were expected have arrived. */
class Arrivals(
    expected: Int,
) {
    private val missing = AtomicInteger(expected)
    private val all = CompletableDeferred<Unit>()

    init {
        require(expected > 0) { "$expected tasks can't arrive" }
    }

    fun arrive() {
        if (missing.decrementAndGet() == 0) all.complete(Unit)
    }

    suspend fun await() = all.await()
}
