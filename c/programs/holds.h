// What memory and memory-state share: n tasks park at a gate, and the process is held before, while and after they live.
#pragma once

#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"

struct parked {
    long i;
    gate *closed;
    struct arrivals *parked;
};

// Waits at the gate.
static void park(struct parked *self) {
    event("park", self->i);
    arrive(self->parked);
    gate_wait(self->closed);
    leave(self->parked);
}

// Once, whatever was asked for: the process is read from outside, and only a fresh one has a base.
static void hold_tasks(long n, task_body body) {
    gate *closed = gate_new();
    struct arrivals parked = arrivals_of(n);
    long first = nonce(), created = 0, finished = 0, checksum = 0;
    hold("base", atomic_load(&parked.count));

    start_clock();
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct parked *waiting = allocate((size_t)n * sizeof *waiting);
    for (long i = 0; i < n; i++) {
        waiting[i] = (struct parked){first + i, closed, &parked};
        tasks[i] = start_task(first + i, body, &waiting[i]);
        created++;
    }
    gate_wait(parked.all);
    hold("live", atomic_load(&parked.count));

    gate_open(closed);
    for (long i = 0; i < n; i++) {
        checksum += join_task(first + i, tasks[i]);
        finished++;
    }
    free(waiting);
    free(tasks);
    stop_clock();
    hold("released", atomic_load(&parked.count));
    record(finished, (struct count[]){{"created", created}, {"finished", finished}, {"checksum", checksum}, {NULL, 0}});
    gate_free(parked.all);
    gate_free(closed);
}
