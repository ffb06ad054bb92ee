// Starts n tasks, then collects their results.
#include <stdlib.h>

#include "crew.h"

static long body(void *argument) {
    long i = (long)argument;
    event("run", i);
    event("done", i);
    return i;
}

int main(int argc, char **argv) {
    begin("spawn", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    task **tasks = allocate((size_t)n * sizeof(task *));
    while (wanted()) {
        long first = nonce(), created = 0, finished = 0, checksum = 0;
        start_clock();
        for (long i = 0; i < n; i++) {
            tasks[i] = start_task(first + i, body, (void *)(first + i));
            created++;
        }
        for (long i = 0; i < n; i++) {
            checksum += join_task(first + i, tasks[i]);
            finished++;
        }
        stop_clock();
        record(finished, (struct count[]){{"created", created}, {"finished", finished}, {"checksum", checksum}, {NULL, 0}});
    }
    free(tasks);
    end();
}
