// What memory and memory-state share: n tasks park at a gate, and the process is held before, while and after they live.
#pragma once

#include <optional>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/experimental/channel_error.hpp>

#include "boost-asio/crew.hpp"

struct parking {
    asio::experimental::channel<void(error_code)> gate;
    long parked = 0;

    // Task i waits at the gate, which opens when the channel is closed: it awaits what this returns.
    auto park(long i) {
        event("park", i);
        parked++;
        return gate.async_receive(asio::as_tuple(use_awaitable));
    }
    void leave(std::tuple<error_code> passed) {
        if (std::get<0>(passed) != asio::experimental::error::channel_closed) fail("a task passed a gate that is closed");
        parked--;
    }
};

// Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
inline void hold_tasks(long n, awaitable<long> (*body)(long, parking &)) {
    asio::io_context loop(1);
    parking lot{.gate{loop}};
    long first = nonce(), finished = 0, checksum = 0;
    hold("base", lot.parked);

    start_clock();
    std::optional<std::vector<std::future<long>>> tasks(std::in_place);
    for (long i = first; i < first + n; i++) tasks->push_back(start(loop, i, body(i, lot)));
    long created = static_cast<long>(tasks->size());
    run_to_waits(loop);
    hold("live", lot.parked);

    lot.gate.close();
    run_to_end(loop);
    for (std::future<long> &one : *tasks) {
        checksum += one.get();
        event("collect", first + finished);
        finished++;
    }
    tasks.reset();
    stop_clock();
    hold("released", lot.parked);
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
}
