@file:JvmName("MemoryState")

package coroutine

private const val DEPTH = 8
private const val SIZE = 1024
private const val VALUES = 251

/** The 1 that each level adds keeps its call from being one in tail position, which would leave no frame. */
private suspend fun descend(
    i: Int,
    gate: Parking,
    level: Int,
): Int {
    if (level < DEPTH) return 1 + descend(i, gate, level + 1)
    val value = i % VALUES
    val state = ByteArray(SIZE) { value.toByte() }
    gate.await(i)
    return 1 - DEPTH + i - value + state.last().toUByte().toInt()
}

/** Parks n tasks, each eight calls deep with 1 KiB of its own. */
fun main(words: Array<String>) = park(words, "memory-state") { i, gate -> descend(i, gate, 1) }
