// What memory and memory-state share: n tasks park at a gate, and the process is held before, while and after they live.
#pragma once

#include <optional>
#include <vector>

#include "coroutine/crew.hpp"

namespace coroutines {

struct parking {
    gate closed{};
    arrivals parked;

    // Task i waits at the gate as soon as it awaits what this returns.
    gate::waiting park(long i) {
        event("park", i);
        parked.arrive();
        return closed.wait();
    }
};

// Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
inline task<bool> hold_tasks(long n, task<long> (*body)(long, parking &)) {
    parking lot{.parked = {.expected = n}};
    long first = nonce(), finished = 0, checksum = 0;
    hold("base", lot.parked.count);

    start_clock();
    std::optional<std::vector<task<long>>> tasks(std::in_place);
    for (long i = first; i < first + n; i++) tasks->push_back(start(i, body(i, lot)));
    long created = static_cast<long>(tasks->size());
    co_await lot.parked.all.wait();
    hold("live", lot.parked.count);

    lot.closed.open();
    for (task<long> &one : *tasks) {
        checksum += co_await one;
        event("collect", first + finished);
        finished++;
    }
    tasks.reset();
    stop_clock();
    hold("released", lot.parked.count);
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
    co_return true;
}

}  // namespace coroutines
