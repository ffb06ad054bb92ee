// Parks n tasks at a gate and holds before, while and after they live.
#include "coroutine/holds.hpp"

using namespace coroutines;

static task<long> body(long i, parking &lot) {
    event("run", i);
    co_await lot.park(i);
    lot.parked.count--;
    event("done", i);
    co_return i;
}

int main(int argc, char **argv) {
    begin_program("memory", argc, argv, {"n"});
    run(hold_tasks(parameter("n"), body));
    end();
}
