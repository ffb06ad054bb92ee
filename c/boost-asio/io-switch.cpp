// Two tasks send a byte back and forth over a pair of Unix stream sockets.
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "boost-asio/crew.hpp"

using socket_end = asio::local::stream_protocol::socket;

// Each byte is 1, so what the tasks received adds up to the number of messages.
static awaitable<long> ask(long i, long m, socket_end &socket) {
    event("run", i);
    long received = 0;
    for (long trip = 0; trip < m; trip++) {
        char byte = 1;
        co_await asio::async_write(socket, asio::buffer(&byte, 1), use_awaitable);
        co_await asio::async_read(socket, asio::buffer(&byte, 1), use_awaitable);
        received += byte;
    }
    event("done", i);
    co_return received;
}

static awaitable<long> answer(long i, long m, socket_end &socket) {
    event("run", i);
    long received = 0;
    for (long trip = 0; trip < m; trip++) {
        char byte = 0;
        co_await asio::async_read(socket, asio::buffer(&byte, 1), use_awaitable);
        received += byte;
        co_await asio::async_write(socket, asio::buffer(&byte, 1), use_awaitable);
    }
    event("done", i);
    co_return received;
}

int main(int argc, char **argv) {
    begin_program("io-switch", argc, argv, {"m"});
    long m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        socket_end left(loop), right(loop);
        asio::local::connect_pair(left, right);
        long finished = 0, messages = 0;
        start_clock();
        std::array<std::future<long>, 2> tasks{start(loop, 0, ask(0, m, left)), start(loop, 1, answer(1, m, right))};
        run_to_end(loop);
        for (std::future<long> &one : tasks) {
            messages += one.get();
            event("collect", finished);
            finished++;
        }
        stop_clock();
        keep(messages / 2, {{"finished", finished}, {"messages", messages}});
    }
    end();
}
