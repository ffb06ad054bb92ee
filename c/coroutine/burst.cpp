// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"
#include "harness/clock.h"

using namespace coroutines;

static constexpr long ms = SECOND / 1'000;

// A task's number, and how many nanoseconds after the beginning of its burst it first ran.
using outcome = std::pair<long, long>;

static task<outcome> body(long i, long began) {
    long ran = now() - began;
    event("run", i);
    event("done", i);
    co_return outcome(i, ran);
}

static task<bool> measure(long n, long bursts, long idle_ms, std::vector<long> &starts) {
    long next = nonce(), created = 0, finished = 0, checksum = 0, last_ns = 0;
    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        co_await sleep_for{idle_ms * ms};
        std::vector<task<outcome>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        long began = now(), last = 0;
        for (long i = next; i < next + n; i++) tasks.push_back(start(i, body(i, began)));
        created += static_cast<long>(tasks.size());
        for (task<outcome> &one : tasks) {
            auto [i, ran] = co_await one;
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
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("burst", argc, argv, {"n", "bursts", "idle_ms"});
    long n = parameter("n"), bursts = parameter("bursts");
    std::vector<long> starts;
    starts.reserve(static_cast<std::size_t>(n * bursts));
    run(measure(n, bursts, parameter("idle_ms"), starts));
    keep("start", starts.data(), static_cast<long>(starts.size()));
    end();
}
