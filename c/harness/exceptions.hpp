// What becomes of a C++ exception that nobody catches.
#pragma once

#include <exception>

#include "harness/failure.h"

// For std::set_terminate: a message and exit status 1, not a signal.
[[noreturn]] inline void end_with_message() {
    try {
        std::rethrow_exception(std::current_exception());
    } catch (const std::exception &error) {
        fail("%s", error.what());
    } catch (...) {
        fail("an exception without a message");
    }
}
