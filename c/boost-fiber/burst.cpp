// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <chrono>

#include "boost-fiber/crew.hpp"
#include "harness/bursts.hpp"

int main(int argc, char **argv) {
    begin_program("burst", argc, argv, {"n", "bursts", "idle_ms"});
    long n = parameter("n"), bursts = parameter("bursts");
    std::chrono::milliseconds idle(parameter("idle_ms"));
    long next = nonce();
    all_bursts all(n * bursts);

    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        boost::this_fiber::sleep_for(idle);
        std::vector<fibers::future<outcome>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        long began = now();
        for (long i = next; i < next + n; i++) tasks.push_back(start(i, run_first, i, began));
        all.begin(tasks.size());
        for (fibers::future<outcome> &one : tasks) all.add(one.get());
        next += n;
    }
    stop_clock();
    all.keep_all();
    all.keep_starts();
    end();
    return 0;
}
