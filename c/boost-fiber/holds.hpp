// What memory and memory-state share: n tasks park at a gate, and the process is held before, while and after they live.
#pragma once

#include <optional>

#include "boost-fiber/crew.hpp"

struct parking {
    arrivals parked;
    fibers::promise<void> gate{};
    fibers::shared_future<void> opened = gate.get_future().share();

    // Task i waits at the gate.
    void park(long i) {
        event("park", i);
        parked.arrive();
        opened.wait();
        parked.count--;
    }
};

// Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
inline void hold_tasks(long n, long (*body)(long, parking &)) {
    parking lot{.parked = {.expected = n}};
    long first = nonce(), finished = 0, checksum = 0;
    hold("base", lot.parked.count);

    start_clock();
    std::optional<std::vector<fibers::future<long>>> tasks(std::in_place);
    for (long i = first; i < first + n; i++) tasks->push_back(start(i, body, i, std::ref(lot)));
    long created = static_cast<long>(tasks->size());
    lot.parked.wait();
    hold("live", lot.parked.count);

    lot.gate.set_value();
    for (fibers::future<long> &one : *tasks) {
        checksum += one.get();
        event("collect", first + finished);
        finished++;
    }
    tasks.reset();
    stop_clock();
    hold("released", lot.parked.count);
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
}
