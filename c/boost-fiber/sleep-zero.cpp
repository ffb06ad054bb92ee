// Starts k tasks that sleep m times each for no time at all.
#include <chrono>

#include "boost-fiber/crew.hpp"

// How often it woke, counted from the nonce on.
static long body(long i, long m) {
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        boost::this_fiber::sleep_for(std::chrono::seconds(0));
        event("run", i);
        count++;
    }
    event("done", i);
    return count;
}

int main(int argc, char **argv) {
    begin_program("sleep-zero", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    while (wanted()) {
        long finished = 0, checksum = 0;
        start_clock();
        std::vector<fibers::future<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(i, body, i, m));
        for (fibers::future<long> &one : tasks) {
            checksum += one.get();
            event("collect", finished);
            finished++;
        }
        stop_clock();
        keep(checksum - finished * nonce(), {{"finished", finished}, {"checksum", checksum}});
    }
    end();
    return 0;
}
