// Starts n tasks that each sleep until a deadline of their own, spread over a second.
#include <algorithm>
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"
#include "harness/clock.h"

using namespace coroutines;

static constexpr long ms = SECOND / 1'000;
static constexpr long grace = ms;  // a task that woke earlier than this before its deadline woke too early

// The number of a task, and how many nanoseconds after its deadline it went on.
struct woken {
    long i, late;
};

static task<woken> sleep_until(long i, long deadline) {
    event("run", i);
    co_await sleep_for{std::max(0L, deadline - now())};
    long late = now() - deadline;
    event("done", i);
    co_return woken{i, late};
}

static task<bool> measure(long n, long lead, std::vector<long> &lateness) {
    long finished = 0, checksum = 0, early = 0;
    start_clock();
    long first = now() + lead * ms;
    std::vector<task<woken>> tasks;
    for (long i = 0; i < n; i++) tasks.push_back(start(i, sleep_until(i, first + i * SECOND / n)));
    long created = static_cast<long>(tasks.size());
    for (task<woken> &one : tasks) {
        auto [i, late] = co_await one;
        event("collect", i);
        early += late < -grace;
        lateness.push_back(std::max(0L, late));
        checksum += i;
        finished++;
    }
    stop_clock();
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}, {"early", early}});
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("timers", argc, argv, {"n", "lead"});
    long n = parameter("n");
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(n));
    run(measure(n, parameter("lead"), lateness));
    keep("lateness", lateness.data(), n);
    end();
}
