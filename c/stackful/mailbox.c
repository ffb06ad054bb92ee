// A place for one value between tasks in one thread: no lock, since a task runs until it waits.
#include "harness/harness.h"
#include "stackful/scheduler.h"

struct mailbox {
    bool full;
    long value;
    task *reader;
};

mailbox *mailbox_new(void) {
    mailbox *new = allocate(sizeof *new);
    *new = (mailbox){0};
    return new;
}

void mailbox_put(mailbox *to, long value) {
    if (to->full) fail("a value lies in the mailbox already");
    to->full = true;
    to->value = value;
    if (to->reader != NULL) {
        task_wake(to->reader);
        to->reader = NULL;
    }
}

long mailbox_take(mailbox *from) {
    while (!from->full) {
        from->reader = task_current();
        task_park();
    }
    from->full = false;
    return from->value;
}

void mailbox_free(mailbox *unused) { free(unused); }
