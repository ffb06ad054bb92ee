@file:JvmName("IoSwitch")

package coroutine

import harness.Outcome
import io.ktor.network.selector.SelectorManager
import io.ktor.network.sockets.Socket
import io.ktor.network.sockets.UnixSocketAddress
import io.ktor.network.sockets.aSocket
import io.ktor.network.sockets.openReadChannel
import io.ktor.network.sockets.openWriteChannel
import io.ktor.utils.io.readByte
import io.ktor.utils.io.writeByte
import kotlinx.coroutines.Dispatchers
import java.nio.file.Files

private const val BYTE: Byte = 1

private class End(
    private val socket: Socket,
) : AutoCloseable by socket {
    val input = socket.openReadChannel()
    val output = socket.openWriteChannel(autoFlush = true)
}

/** Ktor has no socketpair; what a server accepted and what connected to it are such a pair. */
private suspend fun connect(selector: SelectorManager): List<End> {
    val folder = Files.createTempDirectory("corobench")
    val path = folder.resolve("pair")
    try {
        val address = UnixSocketAddress(path.toString())
        return aSocket(selector).tcp().bind(address).use { server ->
            val left = aSocket(selector).tcp().connect(address)
            listOf(End(left), End(server.accept()))
        }
    } finally {
        Files.deleteIfExists(path)
        Files.delete(folder)
    }
}

/** How many bytes came back: each is 1. */
private suspend fun ask(
    end: End,
    m: Int,
): Int {
    var received = 0
    repeat(m) {
        end.output.writeByte(BYTE)
        received += end.input.readByte()
    }
    return received
}

/** How many bytes came, and were sent back. */
private suspend fun answer(
    end: End,
    m: Int,
): Int {
    var received = 0
    repeat(m) {
        val byte = end.input.readByte()
        received += byte
        end.output.writeByte(byte)
    }
    return received
}

private suspend fun Coroutines.alternate(
    ends: List<End>,
    m: Int,
): Outcome {
    val players = listOf(tasks.start(0) { ask(ends[0], m) }, tasks.start(1) { answer(ends[1], m) })
    var finished = 0
    var messages = 0
    for (player in players) {
        messages += player.await()
        finished++
    }
    return Outcome.of(messages / 2L, "finished", finished, "messages", messages)
}

/** Two tasks pass a byte to and fro over a pair of Unix stream sockets. */
fun main(words: Array<String>) =
    run(words, "io-switch", listOf("m")) {
        val m = arguments.integer("m", 1)
        SelectorManager(Dispatchers.IO).use { selector ->
            val ends = connect(selector)
            repeat { alternate(ends, m) }
            ends.forEach(End::close)
        }
    }
