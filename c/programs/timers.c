// Starts n tasks that each sleep until a deadline of their own, spread over a second.
#include <stdlib.h>

#include "crew.h"
#include "harness/clock.h"

#define GRACE 1000000L  // a task that woke earlier than this before its deadline woke too early

struct sleeper {
    long i, deadline, woken;
};

static long body(void *argument) {
    struct sleeper *self = argument;
    event("run", self->i);
    long left = self->deadline - now();
    task_sleep(left > 0 ? left : 0);
    self->woken = now();
    event("done", self->i);
    return self->i;
}

int main(int argc, char **argv) {
    begin("timers", argc, argv, (const char *const[]){"n", "lead", NULL});
    long n = parameter("n"), created = 0, finished = 0, checksum = 0, early = 0;
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct sleeper *sleepers = allocate((size_t)n * sizeof *sleepers);
    long *lateness = allocate((size_t)n * sizeof *lateness);

    start_clock();
    long first = now() + parameter("lead") * (SECOND / 1000);
    for (long i = 0; i < n; i++) {
        sleepers[i] = (struct sleeper){.i = i, .deadline = first + i * SECOND / n};
        tasks[i] = start_task(i, body, &sleepers[i]);
        created++;
    }
    for (long i = 0; i < n; i++) {
        checksum += join_task(i, tasks[i]);
        finished++;
    }
    stop_clock();

    for (long i = 0; i < n; i++) {
        long late = sleepers[i].woken - sleepers[i].deadline;
        early += late < -GRACE;
        lateness[i] = late > 0 ? late : 0;
    }
    record(finished, (struct count[]){
                         {"created", created}, {"finished", finished}, {"checksum", checksum}, {"early", early}, {NULL, 0}});
    keep("lateness", lateness, n);
    end();
    free(lateness);
    free(sleepers);
    free(tasks);
}
