// Gates and channels of tasks in one thread: no lock, since a task runs until it waits.
#include "harness/harness.h"
#include "stackful/scheduler.h"

struct gate {
    bool open;
    struct queue waiting;
};

gate *gate_new(void) {
    gate *new = allocate(sizeof *new);
    *new = (gate){0};
    return new;
}

void gate_wait(gate *closed) {
    if (closed->open) return;
    queue_put(&closed->waiting, task_current());
    task_park();
}

void gate_open(gate *closed) {
    closed->open = true;
    for (task *one = queue_take(&closed->waiting); one != NULL; one = queue_take(&closed->waiting)) task_wake(one);
}

void gate_free(gate *unused) { free(unused); }

void task_cancel(task *cancelled) {
    if (cancelled->guarded == NULL) fail("task %ld is cancelled where it does not wait", cancelled->number);
    queue_remove(&cancelled->guarded->waiting, cancelled);
    cancelled->cancelled = true;
    task_wake(cancelled);
}

void gate_wait_guarded(gate *closed, void (*clean_up)(void *), void *argument) {
    task *self = task_current();
    self->guarded = closed;
    gate_wait(closed);
    self->guarded = NULL;
    if (!self->cancelled) return;
    clean_up(argument);
    task_exit();
}

struct channel {
    size_t room, count, first;
    bool closed;
    struct queue senders, receivers;
    long values[];
};

channel *channel_new(size_t room) {
    channel *new = allocate(sizeof *new + room * sizeof new->values[0]);
    *new = (channel){.room = room};
    return new;
}

static void wait_in(struct queue *queue) {
    queue_put(queue, task_current());
    task_park();
}

static void wake_one(struct queue *queue) {
    task *one = queue_take(queue);
    if (one != NULL) task_wake(one);
}

void channel_send(channel *to, long value) {
    while (to->count == to->room) wait_in(&to->senders);
    size_t last = to->first + to->count++;
    to->values[last < to->room ? last : last - to->room] = value;
    wake_one(&to->receivers);
}

bool channel_receive(channel *from, long *value) {
    while (from->count == 0) {
        if (from->closed) return false;
        wait_in(&from->receivers);
    }
    *value = from->values[from->first];
    if (++from->first == from->room) from->first = 0;
    from->count--;
    wake_one(&from->senders);
    return true;
}

void channel_close(channel *closed) {
    closed->closed = true;
    for (task *one = queue_take(&closed->receivers); one != NULL; one = queue_take(&closed->receivers)) task_wake(one);
}

void channel_free(channel *unused) { free(unused); }
