@file:JvmName("Ring")

package coroutine

fun main(words: Array<String>) =
    run(words, "ring", listOf("k", "rounds")) {
        val k = arguments.integer("k", 1)
        val rounds = arguments.integer("rounds", 1)
        repeat({ prepare(k, rounds) }) { pass(it) }
    }
