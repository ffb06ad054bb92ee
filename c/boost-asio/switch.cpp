// Starts k tasks that yield m times each.
#include "boost-asio/crew.hpp"

static long last_resumed, true_switches;

static awaitable<long> body(long i, long m, bool counted) {
    long count = nonce();
    for (long turn = 0; turn < m; turn++) {
        co_await asio::post(use_awaitable);
        event("run", i);
        if (counted && std::exchange(last_resumed, i) != i) true_switches++;
        count++;
    }
    event("done", i);
    co_return count;
}

int main(int argc, char **argv) {
    begin_program("switch", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        long finished = 0, checksum = 0;
        last_resumed = ROOT;
        true_switches = 0;
        start_clock();
        std::vector<std::future<long>> tasks;
        for (long i = 0; i < k; i++) tasks.push_back(start(loop, i, body(i, m, counting())));
        run_to_end(loop);
        for (std::future<long> &one : tasks) {
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
}
