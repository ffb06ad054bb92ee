// Starts k tasks that yield m times each.
#include "boost-fiber/crew.hpp"

static long last_resumed, true_switches;

static long body(long i, long m, bool counted) {
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        boost::this_fiber::yield();
        event("run", i);
        if (counted && std::exchange(last_resumed, i) != i) true_switches++;
        count++;
    }
    event("done", i);
    return count;
}

int main(int argc, char **argv) {
    begin_program("switch", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    while (wanted()) {
        long finished = 0, checksum = 0;
        last_resumed = ROOT;
        true_switches = 0;
        start_clock();
        std::vector<fibers::future<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(i, body, i, m, counting()));
        for (fibers::future<long> &one : tasks) {
            checksum += one.get();
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
    end();
    return 0;
}
