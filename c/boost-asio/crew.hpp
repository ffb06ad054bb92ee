// What the programs share: starting tasks, running them, and what is kept of an iteration.
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <future>
#include <initializer_list>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "boost-asio/executor.hpp"
#include "harness/harness.h"

namespace asio = boost::asio;

using asio::awaitable;
using asio::use_awaitable;
using boost::system::error_code;

// Starts task i. `token` is what Asio calls a completion token: where its result goes.
template <typename T, typename Token>
auto start(asio::io_context &loop, long i, awaitable<T> body, Token &&token) {
    event("spawn", i);
    struct after {
        long i;
        ~after() { event("spawned", i); }
    } spawned{i};
    return asio::co_spawn(executor_of_task(loop), std::move(body), std::forward<Token>(token));
}

// The same for a task whose result comes through a future.
template <typename T> std::future<T> start(asio::io_context &loop, long i, awaitable<T> body) {
    return start(loop, i, std::move(body), asio::use_future);
}

// Runs all tasks to their end.
inline void run_to_end(asio::io_context &loop) {
    loop.restart();
    loop.run();
}

// Runs all tasks until each of them waits.
inline void run_to_waits(asio::io_context &loop) {
    loop.restart();
    loop.poll();
}

inline void keep(long ops, std::initializer_list<count> counts) {
    std::array<count, 5> ended{};
    std::copy(counts.begin(), counts.end(), ended.begin());
    record(ops, ended.data());
}

inline void begin_program(const char *workload, int argc, char **argv, std::initializer_list<const char *> names) {
    std::array<const char *, 4> ended{};
    std::copy(names.begin(), names.end(), ended.begin());
    begin(workload, argc, argv, ended.data());
}
