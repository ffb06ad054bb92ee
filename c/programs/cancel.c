// Cancels n parked tasks and waits until each has cleaned up.
#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"

struct cancelled {
    long i;
    gate *never_opened;
    struct arrivals *parked;
    atomic_long *cleaned_up;
};

static void clean_up(void *argument) {
    struct cancelled *self = argument;
    atomic_fetch_add(self->cleaned_up, 1);
    event("done", self->i);
}

static long body(void *argument) {
    struct cancelled *self = argument;
    event("run", self->i);
    event("park", self->i);
    arrive(self->parked);
    gate_wait_guarded(self->never_opened, clean_up, self);
    return self->i;
}

int main(int argc, char **argv) {
    begin("cancel", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct cancelled *waiting = allocate((size_t)n * sizeof *waiting);
    hold("base", 0);
    while (wanted()) {
        gate *never_opened = gate_new();
        struct arrivals parked = arrivals_of(n);
        atomic_long cleaned_up = 0;
        long created = 0, finished = 0;
        for (long i = 0; i < n; i++) {
            waiting[i] = (struct cancelled){i, never_opened, &parked, &cleaned_up};
            tasks[i] = start_task(i, body, &waiting[i]);
            created++;
        }
        gate_wait(parked.all);

        start_clock();
        for (long i = 0; i < n; i++) task_cancel(tasks[i]);
        for (long i = 0; i < n; i++) {
            long result;
            if (task_join(tasks[i], &result)) fail("task %ld ran past its wait", i);
            finished++;
            event("collect", i);
        }
        stop_clock();
        record(finished, (struct count[]){{"created", created},
                                          {"cancelled", atomic_load(&cleaned_up)},
                                          {"finished", finished},
                                          {NULL, 0}});
        gate_free(parked.all);
        gate_free(never_opened);
    }
    hold("released", 0);
    free(waiting);
    free(tasks);
    end();
}
