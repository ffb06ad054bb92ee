// The events of a trace. Nothing is recorded, and nothing but a look at `tracing` is done, without trace=1.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Who is running, as the runtime knows it; 0 is the root. Each runtime has its own.
long runtime_identity(void);

#define ROOT (-1L)
extern bool tracing;
void record_event(const char *kind, long i);
static inline void event(const char *kind, long i) {
    if (__builtin_expect(tracing, false)) record_event(kind, i);
}

// The number of the next task to start, where it is not known from its place in a loop; only traces know it.
long task_number(void);

// The trace's line.
void write_trace(void);

#ifdef __cplusplus
}
#endif
