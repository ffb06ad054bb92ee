// Does nothing, or sets up the loop, runs one task and collects its result.
#include "harness/starting.h"

#include "boost-asio/crew.hpp"

static awaitable<long> one() { co_return 1; }

static long first_task() {
    asio::io_context loop(1);
    std::future<long> task = asio::co_spawn(loop, one(), asio::use_future);
    loop.run();
    return task.get();
}

int main(int argc, char **argv) { start_up(argc, argv, first_task); }
