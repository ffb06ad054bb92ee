// What cancel and cancel-loaded share: a task that waits for a timer that never ends, until it is cancelled there.
#pragma once

#include <chrono>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "boost-asio/crew.hpp"

// Counts itself when its task ends.
struct clean_up {
    long i, &cleaned_up;
    ~clean_up() {
        cleaned_up++;
        event("done", i);
    }
};

inline awaitable<bool> park(long i, long &parked, long &cleaned_up) {
    event("run", i);
    clean_up guard{i, cleaned_up};
    asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    event("park", i);
    parked++;
    co_await never.async_wait(use_awaitable);  // throws when it is cancelled
    co_return true;
}

// Whether a task ran past its wait. What it threw is thrown again here.
inline bool ran_past(std::future<bool> &ended) {
    try {
        return ended.get();
    } catch (const boost::system::system_error &error) {
        if (error.code() != asio::error::operation_aborted) throw;
        return false;
    }
}

// n parked tasks, numbered from `first` on, each with a cancellation signal of its own.
class crowd {
public:
    crowd(asio::io_context &loop, long first, long n) : first_(first), cancellations_(static_cast<std::size_t>(n)) {
        for (long i = 0; i < n; i++) {
            tasks_.push_back(start(loop, first + i, park(first + i, parked, cleaned_up),
                                   asio::bind_cancellation_slot(cancellations_[i].slot(), asio::use_future)));
        }
    }

    // Requests all; the loop has to run until they have ended.
    void request() {
        for (asio::cancellation_signal &one : cancellations_) one.emit(asio::cancellation_type::terminal);
    }

    // Whether all have ended; those that are known to have are not asked again.
    bool ended() {
        while (ended_ < tasks_.size() && tasks_[ended_].wait_for(std::chrono::seconds(0)) == std::future_status::ready) ended_++;
        return ended_ == tasks_.size();
    }

    void join() {
        for (std::future<bool> &one : tasks_) {
            if (ran_past(one)) fail("task %ld ran past its wait", first_ + finished);
            event("collect", first_ + finished);
            finished++;
        }
        tasks_.clear();
    }

    long parked = 0, cleaned_up = 0, finished = 0;

private:
    long first_;
    std::size_t ended_ = 0;
    std::vector<asio::cancellation_signal> cancellations_;
    std::vector<std::future<bool>> tasks_;
};
