// Starts k tasks that yield m times each.
#include <vector>

#include "coroutine/crew.hpp"

using namespace coroutines;

static long last_resumed, true_switches;

static task<long> body(long i, long m, bool counted) {
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        co_await yield{};
        event("run", i);
        if (counted && std::exchange(last_resumed, i) != i) true_switches++;
        count++;
    }
    event("done", i);
    co_return count;
}

static task<bool> measure(long k, long m) {
    while (wanted()) {
        long finished = 0, checksum = 0;
        last_resumed = ROOT;
        true_switches = 0;
        start_clock();
        std::vector<task<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(i, body(i, m, counting())));
        for (task<long> &one : tasks) {
            checksum += co_await one;
            event("collect", finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        long resumes = checksum - k * nonce();
        if (counting()) {
            keep(resumes, {{"finished", finished},
                           {"resumes", resumes},
                           {"checksum", checksum},
                           {"true_switches", true_switches}});
        } else {
            keep(resumes, {{"finished", finished}, {"resumes", resumes}, {"checksum", checksum}});
        }
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("switch", argc, argv, {"k", "m"});
    run(measure(parameter("k"), parameter("m")));
    end();
}
