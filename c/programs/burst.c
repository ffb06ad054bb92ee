// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
#include <stdlib.h>

#include "crew.h"
#include "harness/clock.h"

struct runner {
    long i, began, ran;
};

static long body(void *argument) {
    struct runner *self = argument;
    self->ran = now() - self->began;
    event("run", self->i);
    event("done", self->i);
    return self->i;
}

int main(int argc, char **argv) {
    begin("burst", argc, argv, (const char *const[]){"n", "bursts", "idle_ms", NULL});
    long n = parameter("n"), bursts = parameter("bursts"), idle = parameter("idle_ms") * (SECOND / 1000);
    long next = nonce(), created = 0, finished = 0, checksum = 0, last_ns = 0;
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct runner *runners = allocate((size_t)n * sizeof *runners);
    long *starts = allocate((size_t)(n * bursts) * sizeof *starts);

    start_clock();
    for (long burst = 0; burst < bursts; burst++) {
        task_sleep(idle);
        long began = now(), last = 0;
        for (long place = 0; place < n; place++) {
            runners[place] = (struct runner){.i = next + place, .began = began};
            tasks[place] = start_task(next + place, body, &runners[place]);
            created++;
        }
        for (long place = 0; place < n; place++) {
            checksum += join_task(next + place, tasks[place]);
            long ran = runners[place].ran;
            starts[finished++] = ran;
            if (ran > last) last = ran;
        }
        next += n;
        last_ns += last;
    }
    stop_clock();
    record(finished, (struct count[]){
                         {"created", created}, {"finished", finished}, {"checksum", checksum}, {"last_ns", last_ns}, {NULL, 0}});
    keep("start", starts, finished);
    end();
    free(starts);
    free(runners);
    free(tasks);
}
