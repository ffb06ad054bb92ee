// What the consumers of channel tell in C++, as they are joined.
#pragma once

#include <algorithm>
#include <utility>

#include "harness/program.hpp"

// How many messages came, and their sum.
using received = std::pair<long, long>;

struct all_received {
    long messages = 0, most = 0, checksum = 0;

    void add(const received &own) {
        auto [count, sum] = own;
        messages += count;
        most = std::max(most, count);
        checksum += sum;
    }
    void keep_with(long finished) const {
        keep(messages, {{"finished", finished}, {"messages", messages}, {"most", most}, {"checksum", checksum}});
    }
};
