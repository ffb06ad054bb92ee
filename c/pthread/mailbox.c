// A place for one value between threads: a semaphore tells that it is there.
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"
#include "harness/tasks.h"

struct mailbox {
    sem_t filled;
    atomic_bool full;
    long value;
};

mailbox *mailbox_new(void) {
    mailbox *new = allocate(sizeof *new);
    if (sem_init(&new->filled, 0, 0) != 0) fail("sem_init: %s", strerror(errno));
    atomic_init(&new->full, false);
    return new;
}

void mailbox_put(mailbox *to, long value) {
    if (atomic_exchange(&to->full, true)) fail("a value lies in the mailbox already");
    to->value = value;
    if (sem_post(&to->filled) != 0) fail("sem_post: %s", strerror(errno));
}

long mailbox_take(mailbox *from) {
    while (sem_wait(&from->filled) != 0) {
        if (errno != EINTR) fail("sem_wait: %s", strerror(errno));
    }
    long value = from->value;
    atomic_store(&from->full, false);
    return value;
}

void mailbox_free(mailbox *unused) {
    sem_destroy(&unused->filled);
    free(unused);
}
