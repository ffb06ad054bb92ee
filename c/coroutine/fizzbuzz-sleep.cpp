// n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep.
#include <algorithm>
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"
#include "harness/clock.h"
#include "harness/fizzbuzz.h"

using namespace coroutines;

// The steps that a task took, what they were worth, and how many nanoseconds late its last sleep ended.
struct outcome {
    long steps = 0, sum = 0, late = 0;
};

static task<outcome> body(long i, long m, long pause, arrivals &alive) {
    event("run", i);
    outcome self;
    while (self.steps < m) {
        self.sum += fizzbuzz_step(i, self.steps);
        if (self.steps++ == 0) alive.arrive();
        long due = now() + pause;
        co_await sleep_for{pause};
        self.late = std::max(0L, now() - due);
    }
    alive.count--;
    event("done", i);
    co_return self;
}

static task<bool> measure(long n, long m, long pause, std::vector<long> &lateness) {
    arrivals alive{.expected = n};
    long finished = 0, steps = 0, checksum = 0;
    hold("base", alive.count);

    start_clock();
    std::vector<task<outcome>> tasks;
    for (long i = 0; i < n; i++) tasks.push_back(start(i, body(i, m, pause, alive)));
    co_await alive.all.wait();
    stop_clock();
    long most_alive = alive.count;
    hold("live", most_alive);

    resume_clock();
    for (task<outcome> &one : tasks) {
        outcome ended = co_await one;
        event("collect", finished);
        finished++;
        steps += ended.steps;
        checksum += ended.sum;
        lateness.push_back(ended.late);
    }
    stop_clock();
    keep(steps, {{"finished", finished}, {"steps", steps}, {"checksum", checksum}, {"most_alive", most_alive}});
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("fizzbuzz-sleep", argc, argv, {"n", "m", "sleep_ms"});
    long n = parameter("n");
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(n));
    run(measure(n, parameter("m"), parameter("sleep_ms") * (SECOND / 1'000), lateness));
    keep("lateness", lateness.data(), n);
    end();
}
