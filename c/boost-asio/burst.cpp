// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <chrono>

#include <boost/asio/steady_timer.hpp>

#include "boost-asio/crew.hpp"
#include "harness/bursts.hpp"

static awaitable<outcome> body(long i, long began) {
    co_return run_first(i, began);
}

// The root is no task: the loop waits in its place.
static void sleep_outside(asio::io_context &loop, std::chrono::milliseconds idle) {
    asio::steady_timer timer(loop, idle);
    timer.async_wait([](error_code) {});
    run_to_end(loop);
}

int main(int argc, char **argv) {
    begin_program("burst", argc, argv, {"n", "bursts", "idle_ms"});
    long n = parameter("n"), bursts = parameter("bursts");
    std::chrono::milliseconds idle(parameter("idle_ms"));
    asio::io_context loop(1);
    long next = nonce();
    all_bursts all(n * bursts);

    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        sleep_outside(loop, idle);
        std::vector<std::future<outcome>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        long began = now();
        for (long i = next; i < next + n; i++) tasks.push_back(start(loop, i, body(i, began)));
        all.begin(tasks.size());
        run_to_end(loop);
        for (std::future<outcome> &one : tasks) all.add(one.get());
        next += n;
    }
    stop_clock();
    all.keep_all();
    all.keep_starts();
    end();
}
