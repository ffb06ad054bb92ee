// What the tasks of ticker tell in C++, as they are joined.
#pragma once

#include "harness/program.hpp"

struct all_yielded {
    long finished = 0, active = 0, yields = 0;

    // How often a task yielded.
    void add(long count) {
        yields += count;
        active += count > 0;
        finished++;
    }
    // Beside the ticker, which has ended too.
    void keep_with(long ticks) const {
        keep(ticks, {{"finished", finished + 1}, {"active", active}, {"yields", yields}});
    }
};
