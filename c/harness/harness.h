// What every C and C++ program owes the runner: its arguments, its clock, its lines and its exit status.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "harness/failure.h"
#include "harness/lines.h"
#include "harness/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

// A named count of what happened.
struct count {
    const char *name;
    long value;
};

// Takes the keys that every workload has and the workload's own parameters (positive integers; the names end with
// NULL), and writes the hello. Exits with status 2 where a key is missing, unknown or has a bad value.
void begin(const char *workload, int argc, char **argv, const char *const names[]);

// The same for a workload with a word among its parameters; returns the place of the one given. The words end with NULL.
int begin_with_word(const char *workload, int argc, char **argv, const char *key, const char *const words[],
                    const char *const names[]);

// The same for the workload startup, which has other keys.
void begin_startup(const char *mode);

// A parameter's value.
long parameter(const char *name);

// Whether count=1 was given, which only the workload switch understands.
bool counting(void);

// The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
long nonce(void);

// Whether another iteration is wanted.
bool wanted(void);

// The clock of an iteration: monotonic, with the CPU time of the whole process read just outside it.
void start_clock(void);
void stop_clock(void);

// Goes on after a stop: what was between them is no time of the iteration.
void resume_clock(void);

// Keeps an iteration between the last start and stop of the clock. The counts (at most 5) end with {NULL, 0}.
void record(long ops, const struct count counts[]);

// Keeps samples in nanoseconds, in the order in which they happened; they must last until the end.
void keep(const char *name, const long *samples, long count);

// Announces a point at which the runner reads the process, and waits to be let go on.
void hold(const char *point, long units);

// Writes all that was kept, and the last line.
void end(void);

#ifdef __cplusplus
}
#endif
