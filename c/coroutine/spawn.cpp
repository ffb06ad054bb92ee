// Starts n tasks, then collects their results.
#include <vector>

#include "coroutine/crew.hpp"

using namespace coroutines;

static task<long> body(long i) {
    event("run", i);
    event("done", i);
    co_return i;
}

static task<bool> measure(long n) {
    while (wanted()) {
        long first = nonce(), finished = 0, checksum = 0;
        start_clock();
        std::vector<task<long>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        for (long i = first; i < first + n; i++) tasks.push_back(start(i, body(i)));
        long created = static_cast<long>(tasks.size());
        for (task<long> &one : tasks) {
            checksum += co_await one;
            event("collect", first + finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("spawn", argc, argv, {"n"});
    run(measure(parameter("n")));
    end();
}
