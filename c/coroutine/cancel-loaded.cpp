// Cancels n parked tasks and waits until each has cleaned up, while k others do nothing but yield.
#include <vector>

#include "coroutine/crowd.hpp"

using namespace coroutines;

// What the tasks share that yield.
struct load {
    arrivals yielded;
    long active = 0;  // those that have yielded and not ended
    bool ended = false;
};

static task<bool> yields(long i, load &beside) {
    event("run", i);
    co_await yield{};
    beside.active++;
    beside.yielded.arrive();
    while (!beside.ended) co_await yield{};
    beside.active--;
    event("done", i);
    co_return true;
}

static task<bool> measure(long n, long k) {
    while (wanted()) {
        load beside{.yielded = {.expected = k}};
        gate never_opened;
        arrivals parked{.expected = n};
        long cleaned_up = 0, finished = 0;
        std::vector<task<bool>> others, tasks;
        for (long i = 0; i < k; i++) others.push_back(start(i, yields(i, beside)));
        for (long i = k; i < k + n; i++) tasks.push_back(start(i, park(i, never_opened, parked, cleaned_up)));
        long created = static_cast<long>(tasks.size());
        co_await parked.all.wait();
        co_await beside.yielded.all.wait();

        start_clock();
        for (task<bool> &one : tasks) cancel(one.state());
        for (task<bool> &one : tasks) {
            if (co_await one) fail("task %ld ran past its wait", k + finished);
            event("collect", k + finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        long active = beside.active;
        beside.ended = true;
        for (task<bool> &one : others) co_await one;
        keep(finished, {{"created", created}, {"cancelled", cleaned_up}, {"finished", finished}, {"active", active}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("cancel-loaded", argc, argv, {"n", "k"});
    run(measure(parameter("n"), parameter("k")));
    end();
}
