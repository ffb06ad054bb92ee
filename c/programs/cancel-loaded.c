// Cancels n parked tasks and waits until each has cleaned up, while k others do nothing but yield.
#include "crowd.h"

// What the tasks share that yield.
struct load {
    struct arrivals yielded;
    atomic_long active;  // those that have yielded and not ended
    atomic_bool ended;
};

struct yielder {
    long i;
    struct load *beside;
};

static long yields(void *argument) {
    struct yielder *self = argument;
    event("run", self->i);
    task_yield();
    atomic_fetch_add(&self->beside->active, 1);
    arrive(&self->beside->yielded);
    while (!atomic_load(&self->beside->ended)) task_yield();
    atomic_fetch_sub(&self->beside->active, 1);
    event("done", self->i);
    return self->i;
}

int main(int argc, char **argv) {
    begin("cancel-loaded", argc, argv, (const char *const[]){"n", "k", NULL});
    long k = parameter("k");
    struct crowd crowd;
    crowd_make(&crowd, k, parameter("n"));
    task **others = allocate((size_t)k * sizeof(task *));
    struct yielder *yielders = allocate((size_t)k * sizeof *yielders);
    while (wanted()) {
        struct load beside = {.yielded = arrivals_of(k)};
        for (long i = 0; i < k; i++) {
            yielders[i] = (struct yielder){i, &beside};
            others[i] = start_task(i, yields, &yielders[i]);
        }
        crowd_park(&crowd);
        gate_wait(beside.yielded.all);

        start_clock();
        crowd_cancel(&crowd);
        stop_clock();
        long active = atomic_load(&beside.active);
        atomic_store(&beside.ended, true);
        for (long i = 0; i < k; i++) join_task(i, others[i]);
        record(crowd.finished, (struct count[]){{"created", crowd.created},
                                                {"cancelled", atomic_load(&crowd.cleaned_up)},
                                                {"finished", crowd.finished},
                                                {"active", active},
                                                {NULL, 0}});
        gate_free(beside.yielded.all);
        crowd_leave(&crowd);
    }
    free(yielders);
    free(others);
    crowd_free(&crowd);
    end();
}
