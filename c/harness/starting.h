// The workload startup, whose process says nothing unless it is asked to.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// `first_task` starts the scheduler, runs one task and returns its result, which must be 1.
void start_up(int argc, char **argv, long (*first_task)(void));

#ifdef __cplusplus
}
#endif
