// p producers send m messages each to c consumers, which share one bounded channel.
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/redirect_error.hpp>

#include "boost-asio/crew.hpp"
#include "harness/received.hpp"

using channel = asio::experimental::channel<void(error_code, long)>;

// A channel that is closed loses what it holds: the producer that ends last tells each consumer by a last item.
struct producers {
    long left, consumers;
};

static awaitable<bool> produce(long i, long first, long m, channel &outbox, producers &all) {
    event("run", i);
    for (long message = first; message < first + m; message++) {
        co_await outbox.async_send(error_code(), message, use_awaitable);
        event("run", i);
    }
    if (--all.left == 0) {
        for (long told = 0; told < all.consumers; told++) co_await outbox.async_send(asio::error::eof, 0, use_awaitable);
    }
    event("done", i);
    co_return true;
}

static awaitable<received> consume(long i, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    for (;;) {
        error_code ended;
        long message = co_await inbox.async_receive(asio::redirect_error(use_awaitable, ended));
        if (ended == asio::error::eof) break;
        if (ended) throw boost::system::system_error(ended);
        event("run", i);
        messages++;
        checksum += message;
    }
    event("done", i);
    co_return received(messages, checksum);
}

int main(int argc, char **argv) {
    begin_program("channel", argc, argv, {"p", "c", "b", "m"});
    long p = parameter("p"), c = parameter("c"), m = parameter("m");
    std::size_t room = static_cast<std::size_t>(parameter("b"));
    asio::io_context loop(1);
    while (wanted()) {
        long first = nonce(), finished = 0;
        all_received told;
        start_clock();
        channel between(loop, room);
        producers all{.left = p, .consumers = c};
        std::vector<std::future<bool>> producing;
        std::vector<std::future<received>> consuming;
        for (long i = 0; i < p; i++) producing.push_back(start(loop, i, produce(i, first + i * m, m, between, all)));
        for (long i = p; i < p + c; i++) consuming.push_back(start(loop, i, consume(i, between)));
        run_to_end(loop);
        for (std::future<bool> &one : producing) {
            one.get();
            finished++;
        }
        for (std::future<received> &one : consuming) {
            told.add(one.get());
            finished++;
        }
        stop_clock();
        told.keep_with(finished);
    }
    end();
}
