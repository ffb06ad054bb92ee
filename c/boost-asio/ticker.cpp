// One task wakes on an absolute schedule while k others do nothing but yield.
#include <chrono>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "boost-asio/crew.hpp"
#include "harness/clock.h"
#include "harness/yielded.hpp"

// What the tasks share that yield.
struct load {
    long running = 0;
    bool ended = false;
};

// How often it yielded.
static awaitable<long> yields(long i, load &beside) {
    event("run", i);
    beside.running++;
    long count = 0;
    while (!beside.ended) {
        co_await asio::post(use_awaitable);
        count++;
    }
    event("done", i);
    co_return count;
}

// How many ticks it took; one that is overdue it takes without a sleep. It tells the others to end.
static awaitable<long> tick(long i, long ticks, long period, std::vector<long> &lateness, load &beside) {
    event("run", i);
    asio::steady_timer timer(co_await asio::this_coro::executor);
    long due = now(), count = 0;
    for (; count < ticks; count++) {
        due += period;
        long left = due - now();
        if (left > 0) {
            timer.expires_after(std::chrono::nanoseconds(left));
            co_await timer.async_wait(use_awaitable);
        }
        lateness.push_back(std::max(0L, now() - due));
    }
    beside.ended = true;
    event("done", i);
    co_return count;
}

int main(int argc, char **argv) {
    begin_program("ticker", argc, argv, {"k", "ticks", "period_us"});
    long k = parameter("k"), ticks = parameter("ticks"), period = parameter("period_us") * 1'000;
    asio::io_context loop(1);
    all_yielded all;
    std::vector<long> lateness;
    lateness.reserve(static_cast<std::size_t>(ticks));
    load beside;

    start_clock();
    std::vector<std::future<long>> tasks;
    for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, yields(i, beside)));
    while (beside.running < k) loop.run_one();
    std::future<long> ticker = start(loop, k, tick(k, ticks, period, lateness, beside));
    run_to_end(loop);
    long taken = ticker.get();
    for (std::future<long> &one : tasks) all.add(one.get());
    stop_clock();
    all.keep_with(taken);
    keep("lateness", lateness.data(), static_cast<long>(lateness.size()));
    end();
}
