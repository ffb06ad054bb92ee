// A coroutine that its caller awaits, inside the caller's task.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace coroutines {

class [[nodiscard]] call {
public:
    struct promise_type {
        std::coroutine_handle<> caller;
        long result = 0;

        call get_return_object() { return call(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() { return {}; }
        void return_value(long value) { result = value; }
        void unhandled_exception() { std::terminate(); }

        struct back {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
                return ended.promise().caller;
            }
            void await_resume() noexcept {}
        };
        back final_suspend() noexcept { return {}; }
    };

    explicit call(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    call(const call &) = delete;
    call &operator=(const call &) = delete;
    ~call() { frame_.destroy(); }

    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
        frame_.promise().caller = caller;
        return frame_;
    }
    long await_resume() { return frame_.promise().result; }

private:
    std::coroutine_handle<promise_type> frame_;
};

}  // namespace coroutines
