// A token that travels a ring of tasks, over channels that hold one value each; hand-off is the ring of two.
#pragma once

#include <deque>

#include "boost-fiber/crew.hpp"

using channel = fibers::buffered_channel<long>;

// The smallest that there is: one of its two places is always empty.
inline constexpr std::size_t room_for_one = 2;

inline long hop(long i, long rounds, channel &inbox, channel &next, arrivals &waiting) {
    long received = 0;
    waiting.arrive();
    for (long round = 0; round < rounds; round++) {
        long token = inbox.value_pop();
        event("run", i);
        received++;
        next.push(token + 1);
    }
    event("done", i);
    return received;
}

// Sends a token so many times around a ring of k tasks.
inline void pass_token(long k, long rounds) {
    while (wanted()) {
        std::deque<channel> inboxes;
        for (long i = 0; i < k; i++) inboxes.emplace_back(room_for_one);
        arrivals waiting{.expected = k};
        std::vector<fibers::future<long>> tasks;
        for (long i = 0; i < k; i++) {
            tasks.push_back(start(i, hop, i, rounds, std::ref(inboxes[i]), std::ref(inboxes[(i + 1) % k]), std::ref(waiting)));
        }
        // A task that has not run yet would find the token on its way, and the hop would wake nobody.
        waiting.wait();

        long finished = 0, messages = 0;
        start_clock();
        inboxes[0].push(nonce());
        for (fibers::future<long> &one : tasks) {
            messages += one.get();
            event("collect", finished);
            finished++;
        }
        stop_clock();
        // The last task's last send: nobody else reads the first one's inbox now.
        long token = inboxes[0].value_pop();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", token}});
    }
}
