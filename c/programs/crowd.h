// What cancel and cancel-loaded share: n parked tasks are cancelled, and joined when each has cleaned up.
#pragma once

#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"

struct cancelled {
    long i;
    gate *never_opened;
    struct arrivals *parked;
    atomic_long *cleaned_up;
};

struct crowd {
    long first, n, created, finished;
    gate *never_opened;
    struct arrivals parked;
    atomic_long cleaned_up;
    task **tasks;
    struct cancelled *waiting;
};

static inline void count_clean_up(void *argument) {
    struct cancelled *self = argument;
    atomic_fetch_add(self->cleaned_up, 1);
    event("done", self->i);
}

static inline long wait_there(void *argument) {
    struct cancelled *self = argument;
    event("run", self->i);
    event("park", self->i);
    arrive(self->parked);
    gate_wait_guarded(self->never_opened, count_clean_up, self);
    return self->i;
}

// Room for n tasks, numbered from `first` on.
static inline void crowd_make(struct crowd *crowd, long first, long n) {
    *crowd = (struct crowd){.first = first, .n = n};
    crowd->tasks = allocate((size_t)n * sizeof(task *));
    crowd->waiting = allocate((size_t)n * sizeof *crowd->waiting);
}

// Starts them, and returns when all of them wait.
static inline void crowd_park(struct crowd *crowd) {
    crowd->never_opened = gate_new();
    crowd->parked = arrivals_of(crowd->n);
    atomic_store(&crowd->cleaned_up, 0);
    crowd->created = crowd->finished = 0;
    for (long place = 0; place < crowd->n; place++) {
        long i = crowd->first + place;
        crowd->waiting[place] = (struct cancelled){i, crowd->never_opened, &crowd->parked, &crowd->cleaned_up};
        crowd->tasks[place] = start_task(i, wait_there, &crowd->waiting[place]);
        crowd->created++;
    }
    gate_wait(crowd->parked.all);
}

// Cancels all of them before it joins any.
static inline void crowd_cancel(struct crowd *crowd) {
    for (long place = 0; place < crowd->n; place++) task_cancel(crowd->tasks[place]);
    for (long place = 0; place < crowd->n; place++) {
        long result;
        if (task_join(crowd->tasks[place], &result)) fail("task %ld ran past its wait", crowd->first + place);
        crowd->finished++;
        event("collect", crowd->first + place);
    }
}

// After each time that they have parked.
static inline void crowd_leave(struct crowd *crowd) {
    gate_free(crowd->parked.all);
    gate_free(crowd->never_opened);
}

static inline void crowd_free(struct crowd *crowd) {
    free(crowd->waiting);
    free(crowd->tasks);
}
