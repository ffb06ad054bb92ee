// One task wakes on an absolute schedule while k others do nothing but yield.
#include <chrono>

#include "boost-fiber/crew.hpp"
#include "harness/clock.h"
#include "harness/yielded.hpp"

// What the tasks share that yield.
struct load {
    arrivals running;
    bool ended = false;
};

// How often it yielded.
static long yields(long i, load &beside) {
    event("run", i);
    beside.running.arrive();
    long count = 0;
    while (!beside.ended) {
        boost::this_fiber::yield();
        count++;
    }
    event("done", i);
    return count;
}

// How many ticks it took; one that is overdue it takes without a sleep.
static long tick(long i, long ticks, long period, std::vector<long> &lateness) {
    event("run", i);
    long due = now(), count = 0;
    for (; count < ticks; count++) {
        due += period;
        long left = due - now();
        if (left > 0) boost::this_fiber::sleep_for(std::chrono::nanoseconds(left));
        lateness.push_back(std::max(0L, now() - due));
    }
    event("done", i);
    return count;
}

int main(int argc, char **argv) {
    begin_program("ticker", argc, argv, {"k", "ticks", "period_us"});
    long k = parameter("k"), ticks = parameter("ticks"), period = parameter("period_us") * 1'000;
    all_yielded all;
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(ticks));
    load beside{.running = {.expected = k}};

    start_clock();
    std::vector<fibers::future<long>> tasks;
    for (long i = 0; i < k; i++) tasks.push_back(start(i, yields, i, std::ref(beside)));
    beside.running.wait();
    long taken = start(k, tick, k, ticks, period, std::ref(lateness)).get();
    beside.ended = true;
    for (fibers::future<long> &one : tasks) all.add(one.get());
    stop_clock();
    all.keep_with(taken);
    keep("lateness", lateness.data(), static_cast<long>(lateness.size()));
    end();
    return 0;
}
