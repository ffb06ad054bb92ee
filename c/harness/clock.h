// The monotonic clock, for what is timed inside an iteration.
#pragma once

#include <errno.h>
#include <string.h>
#include <time.h>

#include "harness/failure.h"

#define SECOND 1000000000L

// In nanoseconds.
static inline long now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) fail("clock_gettime: %s", strerror(errno));
    return time.tv_sec * SECOND + time.tv_nsec;
}
