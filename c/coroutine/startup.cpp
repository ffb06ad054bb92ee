// Does nothing, or starts the scheduler, runs one task and joins it.
#include "harness/starting.h"

#include "coroutine/crew.hpp"

using namespace coroutines;

static task<long> one() { co_return 1; }

static task<long> root() {
    task<long> first = start(0, one());
    co_return co_await first;
}

int main(int argc, char **argv) {
    start_up(argc, argv, [] { return run(root()); });
}
