// Does nothing, or starts the scheduler, runs one task and joins it.
#include "harness/starting.h"
#include "harness/tasks.h"

static long one(void *argument) {
    (void)argument;
    return 1;
}

static long first_task(void) {
    long result;
    return task_join(task_start(one, NULL), &result) ? result : 0;
}

int main(int argc, char **argv) { start_up(argc, argv, first_task); }
