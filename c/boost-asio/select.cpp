// One task waits on k channels at once, another sends through them in an order that the first does not know.
#include <deque>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>

#include "boost-asio/crew.hpp"

using channel = asio::experimental::channel<void(error_code, long)>;

// What the two tasks share.
struct channels {
    std::deque<channel> inboxes;
    channel answers;
    long k, w, m;
};

// Waits on all channels, and hands `take` the message of each that was ready: the wait for the others is cancelled when the
// first has come, and others may have come with it.
template <typename Take> static awaitable<void> receive_ready(std::deque<channel> &inboxes, Take take) {
    // A receive of a group runs by its own executor, which would be that of the system's threads.
    asio::any_io_executor own = co_await asio::this_coro::executor;
    auto receive_from = [&own](channel &inbox) {
        return asio::bind_executor(own, inbox.async_receive(asio::experimental::deferred));
    };
    std::vector<decltype(receive_from(inboxes[0]))> receives;
    receives.reserve(inboxes.size());
    for (channel &inbox : inboxes) receives.push_back(receive_from(inbox));
    auto [order, errors, messages] = co_await asio::experimental::make_parallel_group(std::move(receives))
                                         .async_wait(asio::experimental::wait_for_one(), use_awaitable);
    for (std::size_t place : order) {
        if (!errors[place]) {
            take(place, messages[place]);
        } else if (errors[place] != asio::experimental::error::channel_cancelled) {
            throw boost::system::system_error(errors[place]);
        }
    }
}

// Messages received through each channel, and the sum of all.
using received = std::pair<std::vector<long>, long>;

static awaitable<received> select(channels &all) {
    std::vector<long> counts(all.inboxes.size());
    long checksum = 0, messages = 0, answers = 0;
    while (messages < all.k * all.m) {
        co_await receive_ready(all.inboxes, [&](std::size_t place, long message) {
            event("run", 0);
            counts[place]++;
            checksum += message;
            if (++messages % all.w == 0) answers++;
        });
        for (; answers > 0; answers--) co_await all.answers.async_send(error_code(), messages, use_awaitable);
    }
    event("done", 0);
    co_return received(counts, checksum);
}

// How many messages it sent. Its order is the nonce's: each channel once a round, as k is a power of two.
static awaitable<long> send(channels &all) {
    long first = nonce(), sent = 0;
    for (long round = first; round < first + all.m; round++) {
        for (long turn = 0; turn < all.k; turn++) {
            channel &outbox = all.inboxes[static_cast<std::size_t>((round + turn * (2 * round + 1)) % all.k)];
            co_await outbox.async_send(error_code(), first + sent, use_awaitable);
            if (++sent % all.w == 0) {
                co_await all.answers.async_receive(use_awaitable);
                event("run", 1);
            }
        }
    }
    event("done", 1);
    co_return sent;
}

int main(int argc, char **argv) {
    begin_program("select", argc, argv, {"k", "w", "m"});
    long k = parameter("k"), w = parameter("w"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        start_clock();
        channels all{.inboxes = {}, .answers = channel(loop, 1), .k = k, .w = w, .m = m};
        for (long i = 0; i < k; i++) all.inboxes.emplace_back(loop, std::size_t{1});
        std::future<received> selecting = start(loop, 0, select(all));
        std::future<long> sending = start(loop, 1, send(all));
        run_to_end(loop);
        auto [counts, checksum] = selecting.get();
        long finished = 1, messages = 0;
        if (sending.get() == k * m) finished++;
        stop_clock();
        for (long count : counts) messages += count;
        auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        keep(messages, {{"finished", finished},
                        {"messages", messages},
                        {"least", *least},
                        {"most", *most},
                        {"checksum", checksum}});
    }
    end();
}
