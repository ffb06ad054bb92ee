@file:JvmName("Memory")

package coroutine

/** Parks n tasks that hold nothing but their number. */
fun main(words: Array<String>) =
    park(words, "memory") { i, gate ->
        gate.await(i)
        i
    }
