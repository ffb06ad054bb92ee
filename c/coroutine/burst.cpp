// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"
#include "harness/bursts.hpp"

using namespace coroutines;

static constexpr long ms = SECOND / 1'000;

static task<outcome> body(long i, long began) {
    co_return run_first(i, began);
}

static task<bool> measure(long n, long bursts, long idle_ms, all_bursts &all) {
    long next = nonce();
    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        co_await sleep_for{idle_ms * ms};
        std::vector<task<outcome>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        long began = now();
        for (long i = next; i < next + n; i++) tasks.push_back(start(i, body(i, began)));
        all.begin(tasks.size());
        for (task<outcome> &one : tasks) all.add(co_await one);
        next += n;
    }
    stop_clock();
    all.keep_all();
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("burst", argc, argv, {"n", "bursts", "idle_ms"});
    long n = parameter("n"), bursts = parameter("bursts");
    all_bursts all(n * bursts);
    run(measure(n, bursts, parameter("idle_ms"), all));
    all.keep_starts();
    end();
}
