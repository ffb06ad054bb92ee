// k threads want one mutex, m times each, and give way while they hold it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "programs/arrivals.h"
#include "programs/crew.h"

// What the mutex guards. A thread gives way between reading the value and leaving it one greater: two that are inside at once
// lose an increment.
struct section {
    pthread_mutex_t lock;
    bool contended;
    long value, inside, most, yields;
};

struct taker {
    long i, m, passed;
    struct section *shared;
    struct arrivals *asking;
};

static void check(int error, const char *what) {
    if (error != 0) fail("%s: %s", what, strerror(error));
}

// Its acquisitions. `passed` is the most by others between two of them.
static long take(void *argument) {
    struct taker *self = argument;
    struct section *shared = self->shared;
    event("run", self->i);
    long acquired = 0, own = nonce();
    while (acquired < self->m) {
        event("ask", self->i);
        if (acquired == 0) arrive(self->asking);
        check(pthread_mutex_lock(&shared->lock), "pthread_mutex_lock");
        event("enter", self->i);
        if (++shared->inside > shared->most) shared->most = shared->inside;
        long value = shared->value;
        if (value - own > self->passed) self->passed = value - own;
        if (shared->contended) {
            task_yield();
            shared->yields++;
        }
        own = shared->value = value + 1;
        shared->inside--;
        event("leave", self->i);
        check(pthread_mutex_unlock(&shared->lock), "pthread_mutex_unlock");
        acquired++;
    }
    event("done", self->i);
    return acquired;
}

int main(int argc, char **argv) {
    begin("mutex", argc, argv, (const char *const[]){"k", "m", NULL});
    long k = parameter("k"), m = parameter("m");
    task **tasks = allocate((size_t)k * sizeof(task *));
    struct taker *takers = allocate((size_t)k * sizeof *takers);
    while (wanted()) {
        struct section shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .contended = k > 1, .value = nonce()};
        struct arrivals asking = arrivals_of(k);
        check(pthread_mutex_lock(&shared.lock), "pthread_mutex_lock");
        for (long i = 0; i < k; i++) {
            takers[i] = (struct taker){.i = i, .m = m, .shared = &shared, .asking = &asking};
            tasks[i] = start_task(i, take, &takers[i]);
        }
        gate_wait(asking.all);
        task_sleep(1000000);  // in which the last to ask goes on to wait

        long acquired = 0, finished = 0, passed = 0;
        start_clock();
        check(pthread_mutex_unlock(&shared.lock), "pthread_mutex_unlock");
        for (long i = 0; i < k; i++) {
            acquired += join_task(i, tasks[i]);
            if (takers[i].passed > passed) passed = takers[i].passed;
            finished++;
        }
        stop_clock();
        record(acquired, (struct count[]){{"finished", finished},
                                          {"most", shared.most},
                                          {"yields", shared.yields},
                                          {"passed", passed},
                                          {"checksum", shared.value},
                                          {NULL, 0}});
        check(pthread_mutex_destroy(&shared.lock), "pthread_mutex_destroy");
        gate_free(asking.all);
    }
    free(takers);
    free(tasks);
    end();
}
