package coroutine

import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume

/** A place for one token, which is no negative one, and for the one task that waits for it. For tasks that share a thread. */
class Mailbox {
    private var token = EMPTY
    private var reader: Continuation<Int>? = null

    fun put(given: Int) {
        val waiting = reader
        if (waiting != null) {
            reader = null
            waiting.resume(given)
            return
        }
        check(token == EMPTY) { "a token lies in the mailbox already" }
        token = given
    }

    suspend fun take(): Int {
        if (token == EMPTY) return awaitToken()
        return token.also { token = EMPTY }
    }

    private suspend fun awaitToken(): Int =
        suspendCoroutineUninterceptedOrReturn {
            reader = it.intercepted()
            COROUTINE_SUSPENDED
        }

    private companion object {
        const val EMPTY = -1
    }
}
