// Messages on stderr, and the exit statuses of the contract.
#include "harness/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    // Other threads may still run: their destructors are no concern of a process that failed.
    _Exit(1);
}

void usage(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("usage: ", stderr);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(2);
}

void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) fail("no memory for %zu bytes", bytes);
    return memory;
}
