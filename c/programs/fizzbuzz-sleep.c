// n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep.
#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"
#include "harness/clock.h"
#include "harness/fizzbuzz.h"

struct sleeper {
    long i, m, pause, steps, late;
    struct arrivals *alive;
};

static long body(void *argument) {
    struct sleeper *self = argument;
    long sum = 0;
    event("run", self->i);
    while (self->steps < self->m) {
        sum += fizzbuzz_step(self->i, self->steps);
        if (self->steps++ == 0) arrive(self->alive);
        long due = now() + self->pause;
        task_sleep(self->pause);
        long over = now() - due;
        self->late = over > 0 ? over : 0;
    }
    leave(self->alive);
    event("done", self->i);
    return sum;
}

int main(int argc, char **argv) {
    begin("fizzbuzz-sleep", argc, argv, (const char *const[]){"n", "m", "sleep_ms", NULL});
    long n = parameter("n"), m = parameter("m"), pause = parameter("sleep_ms") * (SECOND / 1000);
    long finished = 0, steps = 0, checksum = 0;
    struct arrivals alive = arrivals_of(n);
    hold("base", atomic_load(&alive.count));

    start_clock();
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct sleeper *sleepers = allocate((size_t)n * sizeof *sleepers);
    for (long i = 0; i < n; i++) {
        sleepers[i] = (struct sleeper){.i = i, .m = m, .pause = pause, .alive = &alive};
        tasks[i] = start_task(i, body, &sleepers[i]);
    }
    gate_wait(alive.all);
    stop_clock();
    long most_alive = atomic_load(&alive.count);
    hold("live", most_alive);

    resume_clock();
    for (long i = 0; i < n; i++) {
        checksum += join_task(i, tasks[i]);
        finished++;
        steps += sleepers[i].steps;
    }
    stop_clock();

    record(steps, (struct count[]){
                      {"finished", finished}, {"steps", steps}, {"checksum", checksum}, {"most_alive", most_alive}, {NULL, 0}});
    long *lateness = allocate((size_t)n * sizeof *lateness);
    for (long i = 0; i < n; i++) lateness[i] = sleepers[i].late;
    keep("lateness", lateness, n);
    end();
    free(lateness);
    free(sleepers);
    free(tasks);
    gate_free(alive.all);
}
