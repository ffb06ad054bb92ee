// Starting and joining a task, as every traced workload does it.
#pragma once

#include "harness/harness.h"
#include "harness/tasks.h"

static inline task *start_task(long i, task_body body, void *argument) {
    event("spawn", i);
    task *started = task_start(body, argument);
    event("spawned", i);
    return started;
}

static inline long join_task(long i, task *started) {
    long result;
    if (!task_join(started, &result)) fail("task %ld was cancelled", i);
    event("collect", i);
    return result;
}
