// Cancels n parked tasks and waits until each has cleaned up, while k others do nothing but yield.
#include "boost-fiber/crowd.hpp"

// What the tasks share that yield.
struct load {
    arrivals yielded;
    long active = 0;  // those that have yielded and not ended
    bool ended = false;
};

static bool yields(long i, load &beside) {
    event("run", i);
    boost::this_fiber::yield();
    beside.active++;
    beside.yielded.arrive();
    while (!beside.ended) boost::this_fiber::yield();
    beside.active--;
    event("done", i);
    return true;
}

int main(int argc, char **argv) {
    begin_program("cancel-loaded", argc, argv, {"n", "k"});
    long n = parameter("n"), k = parameter("k");
    while (wanted()) {
        load beside{.yielded = {.expected = k}};
        std::vector<fibers::future<bool>> others;
        for (long i = 0; i < k; i++) others.push_back(start(i, yields, i, std::ref(beside)));
        crowd waiting(k, n);
        beside.yielded.wait();

        start_clock();
        waiting.cancel();
        stop_clock();
        long active = beside.active;
        beside.ended = true;
        for (fibers::future<bool> &one : others) one.get();
        keep(waiting.finished(), {{"created", waiting.created()},
                                  {"cancelled", waiting.cleaned_up()},
                                  {"finished", waiting.finished()},
                                  {"active", active}});
    }
    end();
    return 0;
}
