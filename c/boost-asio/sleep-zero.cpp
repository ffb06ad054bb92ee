// Starts k tasks that sleep m times each for no time at all.
#include <chrono>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "boost-asio/crew.hpp"

// How often it woke, counted from the nonce on.
static awaitable<long> body(long i, long m) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        timer.expires_after(std::chrono::seconds(0));
        co_await timer.async_wait(use_awaitable);
        event("run", i);
        count++;
    }
    event("done", i);
    co_return count;
}

int main(int argc, char **argv) {
    begin_program("sleep-zero", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        long finished = 0, checksum = 0;
        start_clock();
        std::vector<std::future<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, body(i, m)));
        run_to_end(loop);
        for (std::future<long> &one : tasks) {
            checksum += one.get();
            event("collect", finished);
            finished++;
        }
        stop_clock();
        keep(checksum - finished * nonce(), {{"finished", finished}, {"checksum", checksum}});
    }
    end();
}
