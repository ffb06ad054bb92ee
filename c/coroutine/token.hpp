// A token that travels a ring of tasks, over channels that hold one value each; hand-off is the ring of two.
#pragma once

#include <deque>
#include <vector>

#include "coroutine/crew.hpp"

namespace coroutines {

inline task<long> hop(long i, long rounds, channel &inbox, channel &next, arrivals &waiting) {
    long received = 0;
    waiting.arrive();
    for (long round = 0; round < rounds; round++) {
        std::optional<long> token = co_await inbox.receive();
        if (!token) fail("the task before is gone");
        event("run", i);
        received++;
        co_await next.send(*token + 1);
    }
    event("done", i);
    co_return received;
}

// Sends a token so many times around a ring of k tasks.
inline task<bool> pass_token(long k, long rounds) {
    while (wanted()) {
        std::deque<channel> inboxes;
        for (long i = 0; i < k; i++) inboxes.emplace_back(std::size_t{1});
        arrivals waiting{.expected = k};
        std::vector<task<long>> tasks;
        for (long i = 0; i < k; i++) {
            tasks.push_back(start(i, hop(i, rounds, inboxes[i], inboxes[(i + 1) % k], waiting)));
        }
        // A task that has not run yet would find the token on its way, and the hop would wake nobody.
        co_await waiting.all.wait();

        long finished = 0, messages = 0;
        start_clock();
        co_await inboxes[0].send(nonce());
        for (task<long> &one : tasks) {
            messages += co_await one;
            event("collect", finished);
            finished++;
        }
        stop_clock();
        // The last task's last send: nobody else reads the first one's inbox now.
        std::optional<long> token = co_await inboxes[0].receive();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", token.value()}});
    }
    co_return true;
}

}  // namespace coroutines
