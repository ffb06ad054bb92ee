// The harness's calls that take lists, for C++: begin and record.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>

#include "harness/harness.h"

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
