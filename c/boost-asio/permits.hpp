// What mutex and semaphore share. Asio has neither for tasks: they are the room of a channel, as its users have it.
#pragma once

#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"
#include "harness/contest.hpp"

class permits {
public:
    permits(asio::io_context &loop, long room) : taken_(loop, static_cast<std::size_t>(room)) {}

    // A task awaits what this returns.
    auto acquire() { return taken_.async_send(error_code(), use_awaitable); }

    // From outside of the tasks.
    void acquire_at_once() {
        if (!taken_.try_send(error_code())) fail("no permit is free");
    }

    void release() {
        if (!taken_.try_receive([](error_code) {})) fail("no permit was taken");
    }

private:
    asio::experimental::channel<void(error_code)> taken_;
};
