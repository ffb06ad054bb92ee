// What the tasks of burst do in C++, whatever starts them, and what they tell as they are joined.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/clock.h"
#include "harness/program.hpp"

// A task's number, and how many nanoseconds after the beginning of its burst it first ran.
using outcome = std::pair<long, long>;

inline outcome run_first(long i, long began) {
    long ran = now() - began;
    event("run", i);
    event("done", i);
    return outcome(i, ran);
}

class all_bursts {
public:
    explicit all_bursts(long tasks) { starts_.reserve(static_cast<std::size_t>(tasks)); }

    // A burst of so many tasks, none of which is joined yet.
    void begin(std::size_t tasks) {
        created_ += static_cast<long>(tasks);
        last_ns_ += last_;
        last_ = 0;
    }
    void add(const outcome &own) {
        auto [i, ran] = own;
        event("collect", i);
        checksum_ += i;
        starts_.push_back(ran);
        last_ = std::max(last_, ran);
    }
    void keep_all() const {
        long finished = static_cast<long>(starts_.size());
        keep(finished,
             {{"created", created_}, {"finished", finished}, {"checksum", checksum_}, {"last_ns", last_ns_ + last_}});
    }
    // They must last until the end.
    void keep_starts() const { keep("start", starts_.data(), static_cast<long>(starts_.size())); }

private:
    long created_ = 0, checksum_ = 0, last_ = 0, last_ns_ = 0;
    std::vector<long> starts_;
};
