@file:JvmName("HandOff")

package coroutine

/** Two tasks pass a token to and fro, m times each, through channels with room for one or the variant's mailboxes: a ring of two. */
fun main(words: Array<String>) =
    run(words, "hand-off", listOf("m"), setOf("limit")) {
        val m = arguments.integer("m", 1)
        val limit = arguments.flag("limit")
        repeat({ if (limit) prepareMailboxes(2, m) else prepare(2, m) }, ::pass)
    }
