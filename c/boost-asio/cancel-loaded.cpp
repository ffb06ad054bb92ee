// Cancels n parked tasks and waits until each has cleaned up, while k others do nothing but yield.
#include "boost-asio/crowd.hpp"

// What the tasks share that yield.
struct load {
    long active = 0;  // those that have yielded and not ended
    bool ended = false;
};

static awaitable<bool> yields(long i, load &beside) {
    event("run", i);
    co_await asio::post(use_awaitable);
    beside.active++;
    while (!beside.ended) co_await asio::post(use_awaitable);
    beside.active--;
    event("done", i);
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("cancel-loaded", argc, argv, {"n", "k"});
    long n = parameter("n"), k = parameter("k");
    asio::io_context loop(1);
    while (wanted()) {
        load beside;
        std::vector<std::future<bool>> others;
        for (long i = 0; i < k; i++) others.push_back(start(loop, i, yields(i, beside)));
        crowd waiting(loop, k, n);
        loop.restart();
        while (beside.active < k || waiting.parked < n) loop.run_one();
        long created = waiting.parked - waiting.cleaned_up;

        start_clock();
        waiting.request();
        while (!waiting.ended()) loop.run_one();
        waiting.join();
        stop_clock();
        long active = beside.active;
        beside.ended = true;
        run_to_end(loop);
        for (std::future<bool> &one : others) one.get();
        keep(waiting.finished, {{"created", created},
                                {"cancelled", waiting.cleaned_up},
                                {"finished", waiting.finished},
                                {"active", active}});
    }
    end();
}
