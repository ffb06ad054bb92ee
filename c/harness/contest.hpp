// What mutex and semaphore in C++ share: what a task tells as it is joined, and those who are inside, one or several at once.
#pragma once

#include <algorithm>

#include "harness/program.hpp"

// How often a task was let in, and the most entries of others between two of its own.
struct turns {
    long taken = 0, passed = 0;
};

struct all_turns {
    long taken = 0, passed = 0, finished = 0;

    void add(const turns &own) {
        taken += own.taken;
        passed = std::max(passed, own.passed);
        finished++;
    }
};

// Those who are inside, the most that ever were, and how often one gave way.
struct room {
    bool contended;
    long inside = 0, most = 0, yields = 0;

    void enter(long i) {
        event("enter", i);
        most = std::max(most, ++inside);
    }
    void leave(long i) {
        inside--;
        event("leave", i);
    }
    void keep_with(long ops, const all_turns &all, long checksum) const {
        keep(ops, {{"finished", all.finished},
                   {"most", most},
                   {"yields", yields},
                   {"passed", all.passed},
                   {"checksum", checksum}});
    }
};
