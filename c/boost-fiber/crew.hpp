// What the programs share: starting and counting tasks.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <boost/fiber/all.hpp>

#include "harness/program.hpp"

namespace fibers = boost::fibers;

// Starts task i as a fiber that calls body(args...); the result comes through the future.
template <typename Body, typename... Args> auto start(long i, Body body, Args... args) {
    event("spawn", i);
    auto task = fibers::async(body, args...);
    event("spawned", i);
    return task;
}

// Tells the root when every task is about to wait.
struct arrivals {
    long expected;
    long count = 0, arrived = 0;  // those that wait now, and all that ever came: the first may leave before the last is there
    fibers::promise<void> all{};

    void arrive() {
        count++;
        if (++arrived == expected) all.set_value();
    }
    void wait() { all.get_future().wait(); }
};
