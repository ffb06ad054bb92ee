// Starts n tasks, then collects their results.
#include "boost-asio/crew.hpp"

static awaitable<long> body(long i) {
    event("run", i);
    event("done", i);
    co_return i;
}

int main(int argc, char **argv) {
    begin_program("spawn", argc, argv, {"n"});
    long n = parameter("n");
    asio::io_context loop(1);
    while (wanted()) {
        long first = nonce(), finished = 0, checksum = 0;
        start_clock();
        std::vector<std::future<long>> tasks;
        tasks.reserve(static_cast<std::size_t>(n));
        for (long i = first; i < first + n; i++) tasks.push_back(start(loop, i, body(i)));
        long created = static_cast<long>(tasks.size());
        run_to_end(loop);
        for (std::future<long> &one : tasks) {
            checksum += one.get();
            event("collect", first + finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        keep(finished, {{"created", created}, {"finished", finished}, {"checksum", checksum}});
    }
    end();
}
