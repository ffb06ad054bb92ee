// n tasks take m steps of fizzbuzz each: as plain calls (base), without waiting (spawn), or with a yield after each (yield).
#include "harness/fizzbuzz.h"

#include <stdlib.h>

#include "crew.h"

enum { BASE, SPAWN, YIELD };

struct player {
    long i, m, steps;
};

// How many tasks ended, how many steps they took, and what these were worth.
struct tally {
    long finished, steps, checksum;
};

// A function that the compiler can't see through: inlined, the phase without tasks would be a loop.
static __attribute__((noipa)) long play(struct player *self) {
    long sum = 0;
    for (; self->steps < self->m; self->steps++) sum += fizzbuzz_step(self->i, self->steps);
    return sum;
}

static long playing(void *argument) {
    struct player *self = argument;
    event("run", self->i);
    long sum = play(self);
    event("done", self->i);
    return sum;
}

static long yielding(void *argument) {
    struct player *self = argument;
    long sum = 0;
    event("run", self->i);
    for (; self->steps < self->m; self->steps++) {
        sum += fizzbuzz_step(self->i, self->steps);
        task_yield();
    }
    event("done", self->i);
    return sum;
}

static void add(struct tally *all, const struct player *ended, long sum) {
    all->finished++;
    all->steps += ended->steps;
    all->checksum += sum;
}

static struct tally call_all(long n, long m) {
    struct tally all = {0};
    for (long i = 0; i < n; i++) {
        struct player self = {.i = i, .m = m};
        long sum = play(&self);
        add(&all, &self, sum);
    }
    return all;
}

static struct tally start_all(long n, long m, task_body body, task **tasks, struct player *players) {
    struct tally all = {0};
    for (long i = 0; i < n; i++) {
        players[i] = (struct player){.i = i, .m = m};
        tasks[i] = start_task(i, body, &players[i]);
    }
    for (long i = 0; i < n; i++) {
        long sum = join_task(i, tasks[i]);
        add(&all, &players[i], sum);
    }
    return all;
}

int main(int argc, char **argv) {
    int phase = begin_with_word("fizzbuzz", argc, argv, "phase", (const char *const[]){"base", "spawn", "yield", NULL},
                                (const char *const[]){"n", "m", NULL});
    long n = parameter("n"), m = parameter("m");
    task_body body = phase == SPAWN ? playing : yielding;
    task **tasks = allocate((size_t)n * sizeof(task *));
    struct player *players = allocate((size_t)n * sizeof *players);
    while (wanted()) {
        start_clock();
        struct tally all = phase == BASE ? call_all(n, m) : start_all(n, m, body, tasks, players);
        stop_clock();
        record(all.finished, (struct count[]){
                                 {"finished", all.finished}, {"steps", all.steps}, {"checksum", all.checksum}, {NULL, 0}});
    }
    free(players);
    free(tasks);
    end();
}
