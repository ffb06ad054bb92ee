// What the harness asks of the runtime: who is running, and with which settings.
#include <cstdio>

#include <boost/version.hpp>

#include "boost-asio/crew.hpp"
#include "harness/exceptions.hpp"
#include "harness/harness.h"

extern "C" long runtime_identity() { return numbered_executor::running; }

extern "C" const char *runtime_settings() {
    static char settings[64];
    std::snprintf(settings, sizeof settings, "{\"Boost.Asio\":\"%d.%d.%d\",\"threads\":1}", BOOST_VERSION / 100000,
                  BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
    return settings;
}

// An exception that nobody catches is a message and exit status 1, not a signal.
[[maybe_unused]] static const std::terminate_handler handler_before = std::set_terminate(end_with_message);
