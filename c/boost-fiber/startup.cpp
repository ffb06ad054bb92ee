// Does nothing, or runs one fiber and collects its result, which starts the scheduler.
#include "harness/starting.h"

#include "boost-fiber/crew.hpp"

static long one() { return 1; }

int main(int argc, char **argv) {
    start_up(argc, argv, [] { return fibers::async(one).get(); });
}
