// Who is running, for a trace: Asio has no name for a task, but each task is resumed by its executor.
#pragma once

#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "harness/harness.h"

// An executor that no other task has. What it posts to the loop runs under its number.
class numbered_executor {
public:
    explicit numbered_executor(boost::asio::io_context &loop) : loop_(&loop) {}

    // The number of the task that is running in this thread; 0 is the root.
    static inline thread_local long running = 0;

    // For whoever runs without an executor.
    static long next_number() { return ++numbered_; }

    boost::asio::execution_context &query(boost::asio::execution::context_t) const noexcept { return *loop_; }
    static constexpr boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) noexcept {
        return boost::asio::execution::blocking.never;
    }

    template <typename Function> void execute(Function function) const {
        boost::asio::post(*loop_, [function = std::move(function), number = number_]() mutable {
            running = number;
            function();
            running = 0;
        });
    }

    bool operator==(const numbered_executor &) const noexcept = default;

private:
    static inline long numbered_ = 0;

    boost::asio::io_context *loop_;
    long number_ = next_number();
};

inline boost::asio::any_io_executor executor_of_task(boost::asio::io_context &loop) {
    if (__builtin_expect(tracing, false)) return numbered_executor(loop);
    return loop.get_executor();
}
