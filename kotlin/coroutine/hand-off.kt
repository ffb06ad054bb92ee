@file:JvmName("HandOff")

package coroutine

/** Two tasks pass a token to and fro, m times each, through channels with room for one: a ring of two. */
fun main(words: Array<String>) =
    run(words, "hand-off", listOf("m")) {
        val m = arguments.integer("m", 1)
        repeat({ prepare(2, m) }) { pass(it) }
    }
