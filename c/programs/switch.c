// Starts k tasks that yield m times each.
#include <stdatomic.h>
#include <stdlib.h>

#include "crew.h"

struct yielder {
    long i, m;
};

static atomic_long last_resumed, true_switches;

static void count_resume(long i) {
    if (atomic_exchange(&last_resumed, i) != i) atomic_fetch_add(&true_switches, 1);
}

static long body(void *argument) {
    struct yielder *self = argument;
    bool counted = counting();
    long count = nonce();
    for (long turn = 0; turn < self->m; turn++) {
        task_yield();
        event("run", self->i);
        if (counted) count_resume(self->i);
        count++;
    }
    event("done", self->i);
    return count;
}

int main(int argc, char **argv) {
    begin("switch", argc, argv, (const char *const[]){"k", "m", NULL});
    long k = parameter("k"), m = parameter("m");
    task **tasks = allocate((size_t)k * sizeof(task *));
    struct yielder *yielders = allocate((size_t)k * sizeof *yielders);
    while (wanted()) {
        long finished = 0, checksum = 0;
        atomic_store(&last_resumed, ROOT);
        atomic_store(&true_switches, 0);
        start_clock();
        for (long i = 0; i < k; i++) {
            yielders[i] = (struct yielder){i, m};
            tasks[i] = start_task(i, body, &yielders[i]);
        }
        for (long i = 0; i < k; i++) {
            checksum += join_task(i, tasks[i]);
            finished++;
        }
        stop_clock();
        long resumes = checksum - k * nonce();
        struct count counts[] = {
            {"finished", finished}, {"resumes", resumes}, {"checksum", checksum}, {NULL, 0}, {NULL, 0}};
        if (counting()) counts[3] = (struct count){"true_switches", atomic_load(&true_switches)};
        record(resumes, counts);
    }
    free(yielders);
    free(tasks);
    end();
}
