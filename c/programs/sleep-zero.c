// Starts k tasks that sleep m times each for no time at all.
#include <stdlib.h>

#include "crew.h"

struct sleeper {
    long i, m;
};

// How often it woke, counted from the nonce on.
static long body(void *argument) {
    struct sleeper *self = argument;
    long count = nonce();
    for (long turn = 0; turn < self->m; turn++) {
        task_sleep(0);
        event("run", self->i);
        count++;
    }
    event("done", self->i);
    return count;
}

int main(int argc, char **argv) {
    begin("sleep-zero", argc, argv, (const char *const[]){"k", "m", NULL});
    long k = parameter("k"), m = parameter("m");
    task **tasks = allocate((size_t)k * sizeof(task *));
    struct sleeper *sleepers = allocate((size_t)k * sizeof *sleepers);
    while (wanted()) {
        long finished = 0, checksum = 0;
        start_clock();
        for (long i = 0; i < k; i++) {
            sleepers[i] = (struct sleeper){i, m};
            tasks[i] = start_task(i, body, &sleepers[i]);
        }
        for (long i = 0; i < k; i++) {
            checksum += join_task(i, tasks[i]);
            finished++;
        }
        stop_clock();
        record(checksum - finished * nonce(), (struct count[]){{"finished", finished}, {"checksum", checksum}, {NULL, 0}});
    }
    free(sleepers);
    free(tasks);
    end();
}
