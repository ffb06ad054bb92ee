// key=value arguments.
#pragma once

#include <stdbool.h>

enum { MOST_PARAMETERS = 4 };

struct parameter {
    const char *name;
    long value;
};

struct arguments {
    long iterations, min_warm_ms;
    bool trace, count, mailbox;
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

// A message for whoever typed the command line, and exit status 2.
void usage(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
