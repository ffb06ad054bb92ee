// One task wakes on an absolute schedule while k others do nothing but yield.
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"
#include "harness/clock.h"
#include "harness/yielded.hpp"

using namespace coroutines;

// What the tasks share that yield.
struct load {
    arrivals running;
    bool ended = false;
};

// How often it yielded. The poller is asked when no task can go on, so a yield that lets timers fire is a sleep of zero.
static task<long> yields(long i, load &beside) {
    event("run", i);
    beside.running.arrive();
    long count = 0;
    while (!beside.ended) {
        co_await sleep_for{0};
        count++;
    }
    event("done", i);
    co_return count;
}

// How many ticks it took; one that is overdue it takes without a sleep.
static task<long> tick(long i, long ticks, long period, std::vector<long> &lateness) {
    event("run", i);
    long due = now(), count = 0;
    for (; count < ticks; count++) {
        due += period;
        long left = due - now();
        if (left > 0) co_await sleep_for{left};
        lateness.push_back(std::max(0L, now() - due));
    }
    event("done", i);
    co_return count;
}

static task<bool> measure(long k, long ticks, long period, std::vector<long> &lateness) {
    all_yielded all;
    load beside{.running = {.expected = k}};
    start_clock();
    std::vector<task<long>> tasks;
    for (long i = 0; i < k; i++) tasks.push_back(start(i, yields(i, beside)));
    co_await beside.running.all.wait();
    task<long> ticker = start(k, tick(k, ticks, period, lateness));
    long taken = co_await ticker;
    beside.ended = true;
    for (task<long> &one : tasks) all.add(co_await one);
    stop_clock();
    all.keep_with(taken);
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("ticker", argc, argv, {"k", "ticks", "period_us"});
    long ticks = parameter("ticks");
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(ticks));
    run(measure(parameter("k"), ticks, parameter("period_us") * 1'000, lateness));
    keep("lateness", lateness.data(), static_cast<long>(lateness.size()));
    end();
}
