// What the programs share: starting and counting tasks, and what is kept of an iteration.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include <boost/fiber/all.hpp>

#include "harness/harness.h"

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
