// What the programs share: starting tasks, running them.
#pragma once

#include <exception>
#include <future>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "boost-asio/executor.hpp"
#include "harness/program.hpp"

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
