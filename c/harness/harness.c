// Arguments, iterations and the lines on stdout.
#include "harness/harness.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/arguments.h"

enum { MOST_ITERATIONS = 10000, MOST_COUNTS = 5, MOST_TEXT = 256 };

struct iteration {
    int64_t elapsed_ns, cpu_ns;
    long ops;
    struct count counts[MOST_COUNTS + 1];
};

static struct arguments arguments;
static struct iteration *done;
static long done_count;
static int64_t warm_ns;
static int64_t wall_start, cpu_start, wall_ns, cpu_ns;

// `params` holds those that were taken before, as write_hello wants them.
static void begin_after(char params[MOST_TEXT], const char *workload, int argc, char **argv, const char *const names[]) {
    arguments = parse_arguments(argc, argv, names);
    tracing = arguments.trace;
    done = allocate(MOST_ITERATIONS * sizeof *done);
    size_t length = strlen(params);
    for (int i = 0; i < arguments.parameter_count; i++) {
        const struct parameter *one = &arguments.parameters[i];
        const char *separator = length > 0 ? "," : "";
        int added = snprintf(params + length, MOST_TEXT - length, "%s\"%s\":%ld", separator, one->name, one->value);
        length += (size_t)added;
    }
    write_hello(workload, params);
}

void begin(const char *workload, int argc, char **argv, const char *const names[]) {
    char params[MOST_TEXT] = "";
    begin_after(params, workload, argc, argv, names);
}

int begin_with_word(const char *workload, int argc, char **argv, const char *key, const char *const words[],
                    const char *const names[]) {
    int chosen = choice(argc, argv, key, words);
    char params[MOST_TEXT];
    snprintf(params, sizeof params, "\"%s\":\"%s\"", key, words[chosen]);
    begin_after(params, workload, argc, argv, names);
    return chosen;
}

void begin_startup(const char *mode) {
    done = allocate(sizeof *done);
    write_hello_of("startup", "mode", mode);
}

long parameter(const char *name) {
    for (int i = 0; i < arguments.parameter_count; i++) {
        if (strcmp(arguments.parameters[i].name, name) == 0) return arguments.parameters[i].value;
    }
    fail("the program asks for %s, which it did not declare", name);
}

bool counting(void) { return arguments.count; }

long nonce(void) { return arguments.nonce + done_count; }

bool wanted(void) {
    if (tracing) return done_count == 0;
    return done_count < arguments.iterations ||
           (warm_ns < arguments.min_warm_ms * 1000000 && done_count < MOST_ITERATIONS);
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) fail("clock_gettime: %s", strerror(errno));
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void start_clock(void) {
    wall_ns = cpu_ns = 0;
    resume_clock();
}

void resume_clock(void) {
    cpu_start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    wall_start = nanoseconds(CLOCK_MONOTONIC);
}

void stop_clock(void) {
    wall_ns += nanoseconds(CLOCK_MONOTONIC) - wall_start;
    cpu_ns += nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
}

void record(long ops, const struct count counts[]) {
    struct iteration *kept = &done[done_count];
    *kept = (struct iteration){.elapsed_ns = wall_ns, .cpu_ns = cpu_ns, .ops = ops};
    for (int i = 0; counts[i].name != NULL; i++) {
        if (i == MOST_COUNTS) fail("more than %d counts", MOST_COUNTS);
        kept->counts[i] = counts[i];
    }
    if (done_count > 0) warm_ns += wall_ns;
    done_count++;
}

static struct {
    const char *name;
    const long *samples;
    long count;
} kept;

void keep(const char *name, const long *samples, long count) {
    if (kept.name != NULL) fail("one series is kept, and %s is there", kept.name);
    kept.name = name;
    kept.samples = samples;
    kept.count = count;
}

static void write_series(void) {
    printf("{\"type\":\"series\",\"name\":\"%s\",\"values\":[", kept.name);
    for (long i = 0; i < kept.count; i++) printf("%s%ld", i == 0 ? "" : ",", kept.samples[i]);
    printf("]}\n");
}

void hold(const char *point, long units) {
    event("hold", ROOT);
    printf("{\"type\":\"hold\",\"point\":\"%s\",\"units\":%ld}\n", point, units);
    wait_for_line(point);
}

void end(void) {
    for (long i = 0; i < done_count; i++) {
        printf("{\"type\":\"iteration\",\"index\":%ld,\"elapsed_ns\":%" PRId64 ",\"cpu_ns\":%" PRId64 ",\"ops\":%ld,", i,
               done[i].elapsed_ns, done[i].cpu_ns, done[i].ops);
        printf("\"evidence\":{");
        for (const struct count *count = done[i].counts; count->name != NULL; count++) {
            printf("%s\"%s\":%ld", count == done[i].counts ? "" : ",", count->name, count->value);
        }
        printf("}}\n");
    }
    if (kept.name != NULL) write_series();
    if (tracing) write_trace();
    printf("{\"type\":\"end\"}\n");
    flush_lines();
}
