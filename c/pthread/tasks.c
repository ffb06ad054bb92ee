// Threads as tasks: gates and channels are mutexes with condition variables.
#include "harness/tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/harness.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#define LIBC gnu_get_libc_version()
#else
// musl has no word for itself, and no other C library compiles the rest.
#define LIBC "musl"
#endif

struct task {
    pthread_t thread;
    task_body body;
    void *argument;
    long result;
    // The thread, and whoever joins or detaches it: the last one frees.
    atomic_int owners;
};

static void check(int error, const char *what) {
    if (error != 0) fail("%s: %s", what, strerror(error));
}

static void *run(void *argument) {
    task *self = argument;
    self->result = self->body(self->argument);
    if (atomic_fetch_sub(&self->owners, 1) == 1) free(self);
    return NULL;
}

task *task_start(task_body body, void *argument) {
    task *new = allocate(sizeof *new);
    new->body = body;
    new->argument = argument;
    atomic_init(&new->owners, 2);
    check(pthread_create(&new->thread, NULL, run, new), "pthread_create");
    return new;
}

bool task_join(task *joined, long *result) {
    void *end;
    check(pthread_join(joined->thread, &end), "pthread_join");
    if (end != PTHREAD_CANCELED) *result = joined->result;
    free(joined);
    return end != PTHREAD_CANCELED;
}

void task_detach(task *detached) {
    check(pthread_detach(detached->thread), "pthread_detach");
    if (atomic_fetch_sub(&detached->owners, 1) == 1) free(detached);
}

void task_yield(void) { sched_yield(); }

void task_yield_to_timers(void) { task_yield(); }

void task_cancel(task *cancelled) { check(pthread_cancel(cancelled->thread), "pthread_cancel"); }

long runtime_identity(void) {
    pid_t thread = gettid();
    return thread == getpid() ? 0 : thread;
}

// A variant may want another size of stack than the process's limit gives.
static __attribute__((constructor)) void choose_stack(void) {
    const char *kib = getenv("COROBENCH_STACK_KIB");
    if (kib == NULL) return;
    pthread_attr_t attributes;
    check(pthread_attr_init(&attributes), "pthread_attr_init");
    check(pthread_attr_setstacksize(&attributes, strtoul(kib, NULL, 10) * 1024), "COROBENCH_STACK_KIB");
    check(pthread_setattr_default_np(&attributes), "pthread_setattr_default_np");
    check(pthread_attr_destroy(&attributes), "pthread_attr_destroy");
}

const char *runtime_settings(void) {
    static char settings[64];
    pthread_attr_t attributes;
    size_t stack_bytes;
    check(pthread_getattr_default_np(&attributes), "pthread_getattr_default_np");
    check(pthread_attr_getstacksize(&attributes, &stack_bytes), "pthread_attr_getstacksize");
    check(pthread_attr_destroy(&attributes), "pthread_attr_destroy");
    snprintf(settings, sizeof settings, "{\"libc\":\"%s\",\"stack_kib\":%zu}", LIBC, stack_bytes / 1024);
    return settings;
}

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
};

gate *gate_new(void) {
    gate *new = allocate(sizeof *new);
    *new = (gate){.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};
    return new;
}

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

void gate_wait(gate *closed) {
    pthread_mutex_lock(&closed->lock);
    // A thread that is cancelled in the wait has the lock again.
    pthread_cleanup_push(unlock, &closed->lock);
    while (!closed->open) pthread_cond_wait(&closed->opened, &closed->lock);
    pthread_cleanup_pop(true);
}

void gate_wait_guarded(gate *closed, void (*clean_up)(void *), void *argument) {
    pthread_cleanup_push(clean_up, argument);
    gate_wait(closed);
    pthread_cleanup_pop(false);
}

void gate_open(gate *closed) {
    pthread_mutex_lock(&closed->lock);
    closed->open = true;
    pthread_cond_broadcast(&closed->opened);
    pthread_mutex_unlock(&closed->lock);
}

void gate_free(gate *unused) {
    // Waits for those that are about to leave it.
    check(pthread_cond_destroy(&unused->opened), "pthread_cond_destroy");
    check(pthread_mutex_destroy(&unused->lock), "pthread_mutex_destroy");
    free(unused);
}

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    size_t room, count, first;
    bool closed;
    long values[];
};

channel *channel_new(size_t room) {
    channel *new = allocate(sizeof *new + room * sizeof new->values[0]);
    *new = (channel){.lock = PTHREAD_MUTEX_INITIALIZER,
                     .not_full = PTHREAD_COND_INITIALIZER,
                     .not_empty = PTHREAD_COND_INITIALIZER,
                     .room = room};
    return new;
}

// Whoever is woken finds the lock free: woken under it, it would go back to sleep at once. Channels outlive their tasks.
void channel_send(channel *to, long value) {
    pthread_mutex_lock(&to->lock);
    while (to->count == to->room) pthread_cond_wait(&to->not_full, &to->lock);
    to->values[(to->first + to->count++) % to->room] = value;
    pthread_mutex_unlock(&to->lock);
    pthread_cond_signal(&to->not_empty);
}

bool channel_receive(channel *from, long *value) {
    pthread_mutex_lock(&from->lock);
    while (from->count == 0 && !from->closed) pthread_cond_wait(&from->not_empty, &from->lock);
    bool received = from->count > 0;
    if (received) {
        *value = from->values[from->first];
        from->first = (from->first + 1) % from->room;
        from->count--;
    }
    pthread_mutex_unlock(&from->lock);
    if (received) pthread_cond_signal(&from->not_full);
    return received;
}

void channel_close(channel *closed) {
    pthread_mutex_lock(&closed->lock);
    closed->closed = true;
    pthread_cond_broadcast(&closed->not_empty);
    pthread_mutex_unlock(&closed->lock);
}

void channel_free(channel *unused) {
    check(pthread_cond_destroy(&unused->not_full), "pthread_cond_destroy");
    check(pthread_cond_destroy(&unused->not_empty), "pthread_cond_destroy");
    check(pthread_mutex_destroy(&unused->lock), "pthread_mutex_destroy");
    free(unused);
}
