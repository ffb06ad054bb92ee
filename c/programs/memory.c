// Parks n tasks at a gate and holds before, while and after they live.
#include "holds.h"

static long body(void *argument) {
    struct parked *self = argument;
    event("run", self->i);
    park(self);
    event("done", self->i);
    return self->i;
}

int main(int argc, char **argv) {
    begin("memory", argc, argv, (const char *const[]){"n", NULL});
    hold_tasks(parameter("n"), body);
    end();
}
