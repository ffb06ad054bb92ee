// One task wakes on an absolute schedule while k others do nothing but yield.
#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"
#include "harness/clock.h"

// What the tasks share that yield.
struct load {
    struct arrivals running;
    atomic_bool ended;
};

struct yielder {
    long i;
    struct load *beside;
};

struct ticker {
    long i, ticks, period, *lateness;
};

// How often it yielded.
static long yields(void *argument) {
    struct yielder *self = argument;
    event("run", self->i);
    arrive(&self->beside->running);
    long count = 0;
    while (!atomic_load(&self->beside->ended)) {
        task_yield_to_timers();
        count++;
    }
    event("done", self->i);
    return count;
}

// How many ticks it took; one that is overdue it takes without a sleep.
static long tick(void *argument) {
    struct ticker *self = argument;
    event("run", self->i);
    long due = now(), count = 0;
    while (count < self->ticks) {
        due += self->period;
        long left = due - now();
        if (left > 0) task_sleep(left);
        long late = now() - due;
        self->lateness[count++] = late > 0 ? late : 0;
    }
    event("done", self->i);
    return count;
}

int main(int argc, char **argv) {
    begin("ticker", argc, argv, (const char *const[]){"k", "ticks", "period_us", NULL});
    long k = parameter("k"), ticks = parameter("ticks"), finished = 0, active = 0, yielded = 0;
    task **tasks = allocate((size_t)k * sizeof(task *));
    struct yielder *yielders = allocate((size_t)k * sizeof *yielders);
    struct load beside = {.running = arrivals_of(k)};
    struct ticker ticker = {.i = k, .ticks = ticks, .period = parameter("period_us") * 1000};
    ticker.lateness = allocate((size_t)ticks * sizeof *ticker.lateness);

    start_clock();
    for (long i = 0; i < k; i++) {
        yielders[i] = (struct yielder){i, &beside};
        tasks[i] = start_task(i, yields, &yielders[i]);
    }
    gate_wait(beside.running.all);
    long taken = join_task(k, start_task(k, tick, &ticker));
    finished++;
    atomic_store(&beside.ended, true);
    for (long i = 0; i < k; i++) {
        long count = join_task(i, tasks[i]);
        yielded += count;
        active += count > 0;
        finished++;
    }
    stop_clock();
    record(taken, (struct count[]){{"finished", finished}, {"active", active}, {"yields", yielded}, {NULL, 0}});
    keep("lateness", ticker.lateness, taken);
    end();
    gate_free(beside.running.all);
    free(ticker.lateness);
    free(yielders);
    free(tasks);
}
