// Parks n tasks at a gate and holds before, while and after they live.
#include "boost-asio/holds.hpp"

static awaitable<long> body(long i, parking &lot) {
    event("run", i);
    lot.leave(co_await lot.park(i));
    event("done", i);
    co_return i;
}

int main(int argc, char **argv) {
    begin_program("memory", argc, argv, {"n"});
    hold_tasks(parameter("n"), body);
    end();
}
