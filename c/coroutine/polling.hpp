// Reads and sleeps that leave the thread to the other tasks.
#pragma once

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "coroutine/scheduler.hpp"
#include "harness/harness.h"
#include "poller/poller.h"

namespace coroutines {

// The next byte of a socket that does not block.
class receive_byte {
public:
    explicit receive_byte(int socket) : socket_(socket) {}

    bool await_ready() { return read_now(); }
    void await_suspend(std::coroutine_handle<> here) {
        leave_at(here);
        poller_await(socket_, current);
    }
    char await_resume() {
        if (!received_ && !read_now()) fail("woken for a socket that has nothing to read");
        return byte_;
    }

private:
    bool read_now() {
        ssize_t received = read(socket_, &byte_, 1);
        received_ = received == 1;
        if (!received_ && (received == 0 || errno != EAGAIN)) {
            fail("read: %s", received == 0 ? "the other side is gone" : std::strerror(errno));
        }
        return received_;
    }

    int socket_;
    char byte_ = 0;
    bool received_ = false;
};

struct sleep_for {
    long nanoseconds;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> here) {
        leave_at(here);
        poller_sleep(nanoseconds, current);
    }
    void await_resume() {}
};

}  // namespace coroutines
