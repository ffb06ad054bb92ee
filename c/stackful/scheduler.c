// Tasks with stacks of their own in one thread: those that can go on stand in one queue, first in, first out.
#include "stackful/scheduler.h"

#include "harness/harness.h"
#include "poller/poller.h"

static task root;
static task *current = &root;
static struct queue ready;
// A detached task that has ended: its stack can be given back only from another.
static task *left;
static long started;

void queue_put(struct queue *queue, task *last) {
    last->before = queue->last;
    last->next = NULL;
    *(queue->last ? &queue->last->next : &queue->first) = last;
    queue->last = last;
}

void queue_remove(struct queue *queue, task *one) {
    *(one->before ? &one->before->next : &queue->first) = one->next;
    *(one->next ? &one->next->before : &queue->last) = one->before;
}

task *queue_take(struct queue *queue) {
    task *first = queue->first;
    if (first != NULL) queue_remove(queue, first);
    return first;
}

static void free_task(task *ended) {
    free(ended->stack);
    free(ended);
}

// Whoever goes on clears up after the one that ran before.
static void resumed(void) {
    if (left != NULL) {
        free_task(left);
        left = NULL;
    }
}

static void switch_to(task *next) {
    task *before = current;
    if (next == before) return;
    if (before->context == NULL) before->context = context_here();
    current = next;
    context_switch(before->context, next->context);
    resumed();
}

void task_wake(task *parked) { queue_put(&ready, parked); }

static void wake(void *parked) { task_wake(parked); }

// Apart, so that nothing of it stands in the way of a switch.
static __attribute__((cold, noinline)) task *take_polled(void) {
    task *next;
    while ((next = queue_take(&ready)) == NULL) {
        if (!poller_wait(wake)) fail("every task waits for another");
    }
    return next;
}

void task_park(void) {
    task *next = queue_take(&ready);
    switch_to(next != NULL ? next : take_polled());
}

task *task_current(void) { return current; }

void task_yield(void) {
    queue_put(&ready, current);
    task_park();
}

void task_exit(void) {
    current->ended = true;
    if (current->detached) left = current;
    if (current->joiner != NULL) task_wake(current->joiner);
    task_park();
    fail("a task went on after its end");
}

static void run_current(void) {
    resumed();
    current->result = current->body(current->argument);
    task_exit();
}

task *task_start(task_body body, void *argument) {
    task *new = allocate(sizeof *new);
    void *stack = allocate(STACK_BYTES);
    *new = (task){.body = body, .argument = argument, .stack = stack, .number = ++started};
    new->context = context_new(stack, STACK_BYTES, run_current);
    task_wake(new);
    return new;
}

bool task_join(task *joined, long *result) {
    joined->joiner = current;
    while (!joined->ended) task_park();
    *result = joined->result;
    bool whole = !joined->cancelled;
    free_task(joined);
    return whole;
}

void task_detach(task *detached) { detached->detached = true; }

static char *unscheduled;

void trace_stack(void *stack) { unscheduled = stack; }

long runtime_identity(void) {
    char *here = __builtin_frame_address(0);
    if (unscheduled != NULL && here >= unscheduled && here < unscheduled + STACK_BYTES) return (long)unscheduled;
    return current->number;
}

const char *runtime_settings(void) {
    static char settings[64];
    snprintf(settings, sizeof settings, "{\"stack_kib\":%d}", STACK_BYTES / 1024);
    return settings;
}
