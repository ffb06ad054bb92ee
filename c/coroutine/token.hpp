// A token that travels a ring of tasks, over channels that hold one value each or over mailboxes; hand-off is the ring of two.
#pragma once

#include <deque>
#include <vector>

#include "coroutine/crew.hpp"

namespace coroutines {

template <typename Inbox> task<long> hop(long i, long rounds, Inbox &inbox, Inbox &next, arrivals &waiting) {
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

// Sends a token so many times around a ring of k tasks. `made` is what an inbox is made with.
template <typename Inbox, typename... Made> task<bool> pass_token(long k, long rounds, Made... made) {
    while (wanted()) {
        std::deque<Inbox> inboxes;
        for (long i = 0; i < k; i++) inboxes.emplace_back(made...);
        arrivals waiting{.expected = k};
        std::vector<task<long>> tasks;
        for (long i = 0; i < k; i++) {
            tasks.push_back(start(i, hop(i, rounds, inboxes[i], inboxes[(i + 1) % k], waiting)));
        }
        // A task that has not run yet would find the token on its way, and the hop would wake nobody.
        co_await waiting.all.wait();

        long finished = 0, messages = 0;
        start_clock();
        co_await inboxes[0].send(0);
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

// Over channels that hold one value each.
inline task<bool> pass_by_channels(long k, long rounds) { return pass_token<channel>(k, rounds, std::size_t{1}); }

}  // namespace coroutines
