// k tasks want one of s permits, m times each, and give way while they have it.
#include "boost-asio/permits.hpp"

// What the tasks share: the permits, those who have one, and how many were taken.
struct shared_room {
    room holders;
    permits free;
    long entered = 0;
};

// Its permits, counted from the nonce on.
static awaitable<turns> take(long i, long m, shared_room &shared) {
    event("run", i);
    turns own{.taken = nonce()};
    long last = 0;
    for (long turn = 0; turn < m; turn++) {
        event("ask", i);
        co_await shared.free.acquire();
        shared.holders.enter(i);
        long number = ++shared.entered;
        own.passed = std::max(own.passed, number - last - 1);
        if (shared.holders.contended) {
            co_await asio::post(use_awaitable);
            shared.holders.yields++;
        }
        last = number;
        shared.holders.leave(i);
        shared.free.release();
        own.taken++;
    }
    event("done", i);
    co_return own;
}

int main(int argc, char **argv) {
    begin_program("semaphore", argc, argv, {"k", "s", "m"});
    long k = parameter("k"), s = parameter("s"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        shared_room shared{.holders = {.contended = k > s}, .free = permits(loop, s)};
        std::vector<std::future<turns>> tasks;
        for (long permit = 0; permit < s; permit++) shared.free.acquire_at_once();
        for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, take(i, m, shared)));
        run_to_waits(loop);

        all_turns all;
        start_clock();
        for (long permit = 0; permit < s; permit++) shared.free.release();
        run_to_end(loop);
        for (std::future<turns> &one : tasks) all.add(one.get());
        stop_clock();
        shared.holders.keep_with(all.taken - all.finished * nonce(), all, all.taken);
    }
    end();
}
