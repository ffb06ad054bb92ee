// p producers send m messages each to one consumer, over a channel that holds 128.
#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"

using channel = asio::experimental::channel<void(error_code, long)>;

static awaitable<bool> produce(long i, long value, long m, channel &outbox) {
    event("run", i);
    for (long sent = 0; sent < m; sent++) co_await outbox.async_send(error_code(), value, use_awaitable);
    event("done", i);
    co_return true;
}

// How many messages came, and their sum.
using received = std::pair<long, long>;

// It counts on as many as are sent: a channel that is closed loses what it holds.
static awaitable<received> consume(long i, long expected, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    while (messages < expected) {
        checksum += co_await inbox.async_receive(use_awaitable);
        messages++;
    }
    event("done", i);
    co_return received(messages, checksum);
}

int main(int argc, char **argv) {
    begin_program("fan-in", argc, argv, {"p", "m"});
    long p = parameter("p"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        long first = nonce() + 1, finished = 0;
        channel between(loop, 128);
        start_clock();
        std::vector<std::future<bool>> producers;
        for (long i = 0; i < p; i++) producers.push_back(start(loop, i, produce(i, first + i, m, between)));
        std::future<received> consumer = start(loop, p, consume(p, p * m, between));
        run_to_end(loop);
        for (std::future<bool> &one : producers) {
            one.get();
            event("collect", finished);
            finished++;
        }
        auto [messages, checksum] = consumer.get();
        event("collect", finished);
        finished++;
        stop_clock();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", checksum}});
    }
    end();
}
