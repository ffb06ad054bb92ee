// Starts n tasks that each sleep until a deadline of their own, spread over a second.
#include <chrono>

#include "boost-fiber/crew.hpp"
#include "harness/clock.h"

static constexpr long ms = SECOND / 1'000;
static constexpr long grace = ms;  // a task that woke earlier than this before its deadline woke too early

// The number of a task, and how many nanoseconds after its deadline it went on.
struct woken {
    long i, late;
};

static woken sleep_until(long i, long deadline) {
    event("run", i);
    boost::this_fiber::sleep_for(std::chrono::nanoseconds(std::max(0L, deadline - now())));
    long late = now() - deadline;
    event("done", i);
    return woken{i, late};
}

int main(int argc, char **argv) {
    begin_program("timers", argc, argv, {"n", "lead"});
    long n = parameter("n"), lead = parameter("lead"), finished = 0, checksum = 0, early = 0;
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(n));

    start_clock();
    long first = now() + lead * ms;
    std::vector<fibers::future<woken>> tasks;
    for (long i = 0; i < n; i++) tasks.push_back(start(i, sleep_until, i, first + i * SECOND / n));
    long created = static_cast<long>(tasks.size());
    for (fibers::future<woken> &one : tasks) {
        auto [i, late] = one.get();
        event("collect", i);
        early += late < -grace;
        lateness.push_back(std::max(0L, late));
        checksum += i;
        finished++;
    }
    stop_clock();
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}, {"early", early}});
    keep("lateness", lateness.data(), n);
    end();
    return 0;
}
