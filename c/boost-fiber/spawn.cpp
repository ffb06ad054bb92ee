// Starts n tasks, then collects their results.
#include "boost-fiber/crew.hpp"

static long body(long i) {
    event("run", i);
    event("done", i);
    return i;
}

int main(int argc, char **argv) {
    begin_program("spawn", argc, argv, {"n"});
    long n = parameter("n");
    while (wanted()) {
        long first = nonce(), finished = 0, checksum = 0;
        start_clock();
        std::vector<fibers::future<long>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        for (long i = first; i < first + n; i++) tasks.push_back(start(i, body, i));
        long created = static_cast<long>(tasks.size());
        for (fibers::future<long> &one : tasks) {
            checksum += one.get();
            event("collect", first + finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
    }
    end();
    return 0;
}
