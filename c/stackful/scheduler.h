// What gates and channels need of the scheduler.
#pragma once

#include <stdlib.h>

#include "harness/tasks.h"
#include "stackful/context.h"

enum { STACK_BYTES = 64 * 1024 };

struct task {
    context *context;
    void *stack;
    task_body body;
    void *argument;
    long result, number;
    task *before, *next, *joiner;
    // Where it waits and can be cancelled.
    gate *guarded;
    bool ended, detached, cancelled;
};

// Tasks that stand behind each other; a task stands in one queue at most.
struct queue {
    task *first, *last;
};

void queue_put(struct queue *queue, task *last);
void queue_remove(struct queue *queue, task *one);
// NULL where nobody stands.
task *queue_take(struct queue *queue);

task *task_current(void);
// Gives the thread away until somebody wakes this task.
void task_park(void);
void task_wake(task *parked);
// A stack of STACK_BYTES that is no task's: a trace knows who runs on it by its address.
void trace_stack(void *stack);
// Ends the running task.
void task_exit(void) __attribute__((noreturn));
