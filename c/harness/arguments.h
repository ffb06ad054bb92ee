// key=value arguments.
#pragma once

#include <stdbool.h>

enum { MOST_PARAMETERS = 4 };

struct parameter {
    const char *name;
    long value;
};

struct arguments {
    long iterations, min_warm_ms, nonce;
    bool trace, count;
    int parameter_count;
    struct parameter parameters[MOST_PARAMETERS];
};

// Takes the keys of the harness and the named parameters, in this order (the names end with NULL).
struct arguments parse_arguments(int argc, char **argv, const char *const names[]);

// Those of the workload startup: mode=bare or first-task, report=1 where it is to speak.
struct startup_arguments {
    const char *mode;
    bool first_task, report;
};
struct startup_arguments parse_startup(int argc, char **argv);

// The place of the key's value among the words (which end with NULL); anything else ends with status 2.
int choice(int argc, char **argv, const char *key, const char *const words[]);

// Ends with status 2 where an argument is left that nobody took.
void refuse_others(int argc, char **argv);
