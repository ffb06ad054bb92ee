// Hello, and the wait for the runner.
#include "harness/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/failure.h"

// What the compiler was told, in words of GCC's own macros. None has the level: build.mk hands on its flags as FLAGS.
#ifdef __OPTIMIZE__
#define OPTIMIZED "true"
#else
#define OPTIMIZED "false"
#endif

void flush_lines(void) {
    if (fflush(stdout) != 0) fail("stdout: %s", strerror(errno));
}

void write_hello(const char *workload, const char *params) {
    const char *runtime = getenv("COROBENCH_RUNTIME");
    if (runtime == NULL) usage("the environment variable COROBENCH_RUNTIME must name the runtime");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
    printf("{\"type\":\"hello\",\"protocol\":1,\"runtime\":\"%s\",\"version\":\"%s\",\"language_version\":\"%s\",", runtime,
           version, version);
    // The runtime's settings are an object, which is closed after the compiler's own word.
    const char *settings = runtime_settings();
    int inside = (int)strlen(settings) - 1;
    const char *separator = inside > 1 ? "," : "";
    printf("\"workload\":\"%s\",\"params\":{%s},", workload, params);
    printf("\"settings\":%.*s%s\"optimized\":" OPTIMIZED ",\"flags\":\"" FLAGS "\"}}\n", inside, settings, separator);
    flush_lines();
}

void write_hello_of(const char *workload, const char *key, const char *value) {
    char params[64];
    snprintf(params, sizeof params, "\"%s\":\"%s\"", key, value);
    write_hello(workload, params);
}

void wait_for_line(const char *point) {
    flush_lines();
    int read;
    do {
        read = getchar();
        if (read == EOF) fail("stdin ended at the hold %s", point);
    } while (read != '\n');
}
