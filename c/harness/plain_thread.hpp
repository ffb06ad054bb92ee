// A plain thread beside a task, what it waits on, and how the two ended.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "harness/program.hpp"

// A place for one token, with one reader, which is a thread.
class blocking_mailbox {
public:
    void put(long token) {
        {
            std::lock_guard<std::mutex> locked(lock_);
            token_ = token;
        }
        filled_.notify_one();
    }
    long take() {
        std::unique_lock<std::mutex> locked(lock_);
        filled_.wait(locked, [this] { return token_.has_value(); });
        return std::exchange(token_, std::nullopt).value();
    }

private:
    std::mutex lock_;
    std::condition_variable filled_;
    std::optional<long> token_;
};

// The tokens that one received, and the thread that it was on when it ended.
struct ended {
    long received;
    std::thread::id thread;
};

// Task i, which is a thread: takes the token from its inbox, adds one, and wakes the other by `wake`, m times.
template <typename Wake> ended alternate_in_thread(long i, long m, blocking_mailbox &inbox, Wake wake) {
    long received = 0;
    while (received < m) {
        long token = inbox.take();
        event("run", i);
        received++;
        if (received == m) event("done", i);  // the other would be woken before
        wake(token + 1);
    }
    return {received, std::this_thread::get_id()};
}

// Keeps an iteration of those that have been joined, and the last token.
inline void keep_ended(const std::vector<ended> &joined, long token) {
    long least = joined.front().received, messages = 0;
    std::set<std::thread::id> threads;
    for (const ended &one : joined) {
        least = std::min(least, one.received);
        messages += one.received;
        threads.insert(one.thread);
    }
    keep(least, {{"finished", static_cast<long>(joined.size())},
                 {"messages", messages},
                 {"threads", static_cast<long>(threads.size())},
                 {"checksum", token}});
}
