// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <chrono>

#include <boost/asio/steady_timer.hpp>

#include "boost-asio/crew.hpp"
#include "harness/clock.h"

// A task's number, and how many nanoseconds after the beginning of its burst it first ran.
using outcome = std::pair<long, long>;

static awaitable<outcome> body(long i, long began) {
    long ran = now() - began;
    event("run", i);
    event("done", i);
    co_return outcome(i, ran);
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
    long next = nonce(), created = 0, finished = 0, checksum = 0, last_ns = 0;
    std::vector<long> starts;
    starts.reserve(static_cast<std::size_t>(n * bursts));

    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        sleep_outside(loop, idle);
        std::vector<std::future<outcome>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        long began = now(), last = 0;
        for (long i = next; i < next + n; i++) tasks.push_back(start(loop, i, body(i, began)));
        created += static_cast<long>(tasks.size());
        run_to_end(loop);
        for (std::future<outcome> &one : tasks) {
            auto [i, ran] = one.get();
            event("collect", i);
            checksum += i;
            starts.push_back(ran);
            last = std::max(last, ran);
            finished++;
        }
        next += n;
        last_ns += last;
    }
    stop_clock();
    keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}, {"last_ns", last_ns}});
    keep("start", starts.data(), static_cast<long>(starts.size()));
    end();
}
