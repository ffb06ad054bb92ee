// The process of the workload startup.
#include "harness/starting.h"

#include <stdlib.h>
#include <string.h>

#include "harness/arguments.h"
#include "harness/harness.h"

void start_up(int argc, char **argv, long (*first_task)(void)) {
    struct startup_arguments asked = parse_startup(argc, argv);
    if (asked.report) begin_startup(asked.mode);
    start_clock();
    long finished = asked.first_task ? first_task() : 0;
    stop_clock();
    if (asked.first_task && finished != 1) fail("the task returned %ld", finished);
    if (!asked.report) return;
    record(1, (struct count[]){{"finished", finished}, {NULL, 0}});
    end();
}
