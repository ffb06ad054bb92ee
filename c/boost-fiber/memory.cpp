// Parks n tasks at a gate and holds before, while and after they live.
#include "boost-fiber/holds.hpp"

static long body(long i, parking &lot) {
    event("run", i);
    lot.park(i);
    event("done", i);
    return i;
}

int main(int argc, char **argv) {
    begin_program("memory", argc, argv, {"n"});
    hold_tasks(parameter("n"), body);
    end();
    return 0;
}
