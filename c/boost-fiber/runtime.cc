// What the harness asks of the runtime: who is running, and with which settings.
#include <atomic>
#include <cstdio>

#include <boost/fiber/all.hpp>
#include <boost/version.hpp>

#include "harness/exceptions.hpp"
#include "harness/harness.h"

namespace fibers = boost::fibers;

// A fiber's number lies in its own storage: its address is used again. Whoever asks first is the root.
extern "C" long runtime_identity() {
    static std::atomic<long> numbered = 0;
    // Never destroyed: the main fiber's storage is cleared later than this would be.
    static auto &number = *new fibers::fiber_specific_ptr<long>;
    if (number.get() == nullptr) number.reset(new long(numbered++));
    return *number;
}

extern "C" const char *runtime_settings() {
    static char settings[96];
    std::snprintf(settings, sizeof settings, "{\"Boost.Fiber\":\"%d.%d.%d\",\"stack_kib\":%zu}", BOOST_VERSION / 100000,
                  BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, fibers::default_stack::traits_type::default_size() / 1024);
    return settings;
}

// An exception that nobody catches is a message and exit status 1, not a signal.
[[maybe_unused]] static const std::terminate_handler handler_before = std::set_terminate(end_with_message);
