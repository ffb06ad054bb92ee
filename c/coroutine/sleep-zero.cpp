// Starts k tasks that sleep m times each for no time at all.
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"

using namespace coroutines;

// How often it woke, counted from the nonce on.
static task<long> body(long i, long m) {
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        co_await sleep_for{0};
        event("run", i);
        count++;
    }
    event("done", i);
    co_return count;
}

static task<bool> measure(long k, long m) {
    while (wanted()) {
        long finished = 0, checksum = 0;
        start_clock();
        std::vector<task<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(i, body(i, m)));
        for (task<long> &one : tasks) {
            checksum += co_await one;
            event("collect", finished);
            finished++;
        }
        stop_clock();
        keep(checksum - finished * nonce(), {{"finished", finished}, {"checksum", checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("sleep-zero", argc, argv, {"k", "m"});
    run(measure(parameter("k"), parameter("m")));
    end();
}
