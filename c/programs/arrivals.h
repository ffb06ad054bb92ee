// Tells the root when every task is about to wait.
#pragma once

#include <stdatomic.h>

#include "harness/tasks.h"

struct arrivals {
    atomic_long count, arrived;  // those that wait now, and all that ever came: the first may leave before the last is there
    long expected;
    gate *all;
};

static inline struct arrivals arrivals_of(long expected) {
    return (struct arrivals){.expected = expected, .all = gate_new()};
}

static inline void arrive(struct arrivals *at) {
    atomic_fetch_add(&at->count, 1);
    if (atomic_fetch_add(&at->arrived, 1) + 1 == at->expected) gate_open(at->all);
}

static inline void leave(struct arrivals *at) { atomic_fetch_sub(&at->count, 1); }
