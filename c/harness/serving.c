// The lines of a server's process.
#include "harness/serving.h"

#include <stdio.h>

#include "harness/lines.h"

static void serve_with(const char *workload, const char *key, const char *value, int port, const char *more) {
    write_hello_of(workload, key, value);
    printf("{\"type\":\"hold\",\"point\":\"serving\",\"units\":0,\"port\":%d%s}\n", port, more);
    wait_for_line("serving");
}

void serve(const char *workload, const char *key, const char *value, int port) {
    serve_with(workload, key, value, port, "");
}

void serve_as_launcher(const char *workload, const char *key, const char *value, int port) {
    serve_with(workload, key, value, port, ",\"launcher\":true");
}
