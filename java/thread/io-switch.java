package thread;

import harness.Outcome;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.List;

/** Two tasks pass a byte to and fro over a pair of Unix stream sockets. */
final class IoSwitch {
    private record Pair(SocketChannel left, SocketChannel right) implements Closeable {
        @Override
        public void close() throws IOException {
            left.close();
            right.close();
        }
    }

    /** The JDK has no socketpair; what a server accepted and what connected to it are such a pair. */
    private static Pair connect() throws IOException {
        var folder = Files.createTempDirectory("corobench");
        var address = UnixDomainSocketAddress.of(folder.resolve("pair"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            var left = SocketChannel.open(address);
            return new Pair(left, server.accept());
        } finally {
            Files.deleteIfExists(address.getPath());
            Files.delete(folder);
        }
    }

    private static int receive(SocketChannel end, ByteBuffer buffer) throws IOException {
        buffer.clear();
        int received = end.read(buffer);
        if (received < 1) throw new IOException("the pair was closed");
        buffer.flip();
        return received;
    }

    private static int ask(SocketChannel end, int m) throws IOException {
        var buffer = ByteBuffer.allocateDirect(1);
        int received = 0;
        for (int turn = 0; turn < m; turn++) {
            buffer.clear();
            end.write(buffer);
            received += receive(end, buffer);
        }
        return received;
    }

    private static int answer(SocketChannel end, int m) throws IOException {
        var buffer = ByteBuffer.allocateDirect(1);
        int received = 0;
        for (int turn = 0; turn < m; turn++) {
            received += receive(end, buffer);
            end.write(buffer);
        }
        return received;
    }

    private static Outcome alternate(Pair pair, int m, Threads threads) throws Exception {
        var tasks =
                List.of(
                        threads.tasks.submit(0, () -> ask(pair.left, m)),
                        threads.tasks.submit(1, () -> answer(pair.right, m)));
        int finished = 0;
        int messages = 0;
        for (var task : tasks) {
            messages += task.get();
            finished++;
        }
        return Outcome.of(messages / 2, "finished", finished, "messages", messages);
    }

    static void main(String[] words) {
        Threads.run(words, "io-switch", List.of("m"), threads -> {
            int m = threads.arguments.integer("m", 1);
            try (var pair = connect()) {
                threads.repeat(() -> alternate(pair, m, threads));
            }
        });
    }
}
