// What the programs share: starting and counting tasks.
#pragma once

#include "coroutine/scheduler.hpp"
#include "harness/program.hpp"

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

}  // namespace coroutines
