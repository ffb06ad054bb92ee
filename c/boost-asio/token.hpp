// A token that travels a ring of tasks, over channels that hold one value each; hand-off is the ring of two.
#pragma once

#include <deque>

#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"

using channel = asio::experimental::channel<void(error_code, long)>;

inline awaitable<long> hop(long i, long rounds, channel &inbox, channel &next) {
    long received = 0;
    for (long round = 0; round < rounds; round++) {
        long token = co_await inbox.async_receive(use_awaitable);
        event("run", i);
        received++;
        co_await next.async_send(error_code(), token + 1, use_awaitable);
    }
    event("done", i);
    co_return received;
}

// Sends a token so many times around a ring of k tasks.
inline void pass_token(long k, long rounds) {
    asio::io_context loop(1);
    while (wanted()) {
        std::deque<channel> inboxes;
        for (long i = 0; i < k; i++) inboxes.emplace_back(loop, std::size_t{1});
        std::vector<std::future<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, hop(i, rounds, inboxes[i], inboxes[(i + 1) % k])));
        // A task that has not run yet would find the token on its way, and the hop would wake nobody.
        run_to_waits(loop);

        long finished = 0, messages = 0, token = 0;
        start_clock();
        inboxes[0].try_send(error_code(), nonce());
        run_to_end(loop);
        for (std::future<long> &one : tasks) {
            messages += one.get();
            event("collect", finished);
            finished++;
        }
        stop_clock();
        // The last task's last send: nobody else reads the first one's inbox now.
        inboxes[0].try_receive([&token](error_code, long last) { token = last; });
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", token}});
    }
}
