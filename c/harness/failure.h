// How a program ends that cannot go on. Rests on nothing else of the harness.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// A message on stderr, and exit status 1.
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// A message for whoever typed the command line, and exit status 2.
void usage(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// Memory, or a failure.
void *allocate(size_t bytes);

#ifdef __cplusplus
}
#endif
