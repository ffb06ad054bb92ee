// The harness's calls that take lists, for C++: begin and record.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "harness/harness.h"

inline void keep(long ops, std::initializer_list<count> counts) {
    std::vector<count> ended(counts);
    ended.push_back({nullptr, 0});
    record(ops, ended.data());
}

inline void begin_program(const char *workload, int argc, char **argv, std::initializer_list<const char *> names) {
    std::vector<const char *> ended(names);
    ended.push_back(nullptr);
    begin(workload, argc, argv, ended.data());
}
