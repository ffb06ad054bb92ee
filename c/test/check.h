// Counts what holds and what does not; the last line says how many of each.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static int checks_passed, checks_failed;

#define CHECK(what)                                                         \
    do {                                                                    \
        if (what) {                                                         \
            checks_passed++;                                                \
        } else {                                                            \
            checks_failed++;                                                \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #what); \
        }                                                                   \
    } while (0)

static inline int checks_end(const char *of) {
    printf("%s: %d passed, %d failed\n", of, checks_passed, checks_failed);
    return checks_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
