// k tasks want one lock, m times each, and give way while they hold it.
#include "boost-asio/permits.hpp"

// What the lock guards. A task gives way between reading the value and leaving it one greater: two that are inside at once
// lose an increment.
struct section {
    room guarded;
    long value;
    permits lock;
};

static awaitable<turns> take(long i, long m, section &shared) {
    event("run", i);
    turns own;
    long last = nonce();
    for (; own.taken < m; own.taken++) {
        event("ask", i);
        co_await shared.lock.acquire();
        shared.guarded.enter(i);
        long value = shared.value;
        own.passed = std::max(own.passed, value - last);
        if (shared.guarded.contended) {
            co_await asio::post(use_awaitable);
            shared.guarded.yields++;
        }
        last = shared.value = value + 1;
        shared.guarded.leave(i);
        shared.lock.release();
    }
    event("done", i);
    co_return own;
}

int main(int argc, char **argv) {
    begin_program("mutex", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        section shared{.guarded = {.contended = k > 1}, .value = nonce(), .lock = permits(loop, 1)};
        std::vector<std::future<turns>> tasks;
        shared.lock.acquire_at_once();
        for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, take(i, m, shared)));
        run_to_waits(loop);

        all_turns all;
        start_clock();
        shared.lock.release();
        run_to_end(loop);
        for (std::future<turns> &one : tasks) all.add(one.get());
        stop_clock();
        shared.guarded.keep_with(all.taken, all, shared.value);
    }
    end();
}
