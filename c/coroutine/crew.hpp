// What the programs share: starting and counting tasks, and what is kept of an iteration.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>

#include "coroutine/scheduler.hpp"
#include "harness/harness.h"

namespace coroutines {

// Starts task i.
template <typename T> task<T> start(long i, task<T> one) {
    event("spawn", i);
    enter(one.state());
    event("spawned", i);
    return one;
}

// Tells the root when every task is about to wait.
struct arrivals {
    long expected;
    long count = 0, arrived = 0;  // those that wait now, and all that ever came: the first may leave before the last is there
    gate all{};

    void arrive() {
        count++;
        if (++arrived == expected) all.open();
    }
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

}  // namespace coroutines
