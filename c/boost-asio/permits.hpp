// What mutex and semaphore share. Asio has neither for tasks: they are the room of a channel, as its users have it.
#pragma once

#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"

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

// What a task tells of itself: how often it was let in, and the most entries of others between two of its own.
struct turns {
    long taken = 0, passed = 0;
};

// Those who are inside, the most that ever were, and how often one gave way.
struct room {
    long inside = 0, most = 0, yields = 0;

    void enter(long i) {
        event("enter", i);
        most = std::max(most, ++inside);
    }
    void leave(long i) {
        inside--;
        event("leave", i);
    }
};
