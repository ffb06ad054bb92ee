// A coroutine that is resumed by hand: it hands a value out where it waits, and gets one when it goes on.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "coroutine/scheduler.hpp"

namespace coroutines {

class [[nodiscard]] generator {
public:
    struct promise_type {
        long sent = 0, handed_out = 0;

        generator get_return_object() { return generator(handle::from_promise(*this)); }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }

        struct waiting {
            promise_type &self;
            bool await_ready() { return false; }
            void await_suspend(std::coroutine_handle<>) {}
            long await_resume() { return self.sent; }
        };
        waiting yield_value(long value) {
            handed_out = value;
            return {*this};
        }
        void return_value(long value) { handed_out = value; }
        void unhandled_exception() { std::terminate(); }
    };
    using handle = std::coroutine_handle<promise_type>;

    generator(const generator &) = delete;
    generator &operator=(const generator &) = delete;
    ~generator() { frame_.destroy(); }

    // What it hands out next, or returns, after it got this value; it ignores the first.
    long resume(long value) {
        frame_.promise().sent = value;
        frame_.resume();
        return frame_.promise().handed_out;
    }

    // The same, and a trace knows which coroutine runs.
    long resume_traced(long value) {
        unscheduled = frame_;
        long next = resume(value);
        unscheduled = nullptr;
        return next;
    }

    bool ended() const { return frame_.done(); }

private:
    explicit generator(handle frame) : frame_(frame) {}

    handle frame_;
};

}  // namespace coroutines
