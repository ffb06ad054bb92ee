// Cancels n parked tasks and waits until each has cleaned up.
#include <vector>

#include "coroutine/crowd.hpp"

using namespace coroutines;

static task<bool> measure(long n) {
    hold("base", 0);
    while (wanted()) {
        gate never_opened;
        arrivals parked{.expected = n};
        long cleaned_up = 0, finished = 0;
        std::vector<task<bool>> tasks;
        for (long i = 0; i < n; i++) tasks.push_back(start(i, park(i, never_opened, parked, cleaned_up)));
        long created = static_cast<long>(tasks.size());
        co_await parked.all.wait();

        start_clock();
        for (task<bool> &one : tasks) cancel(one.state());
        for (task<bool> &one : tasks) {
            if (co_await one) fail("task %ld ran past its wait", finished);
            event("collect", finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        keep(finished, {{"created", created}, {"cancelled", cleaned_up}, {"finished", finished}});
    }
    hold("released", 0);
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("cancel", argc, argv, {"n"});
    run(measure(parameter("n")));
    end();
}
