// What the harness asks of the runtime: who is running, and with which settings.
#include "libuv/callbacks.h"

#include <stdio.h>

#include "harness/harness.h"

static const void *current;

void callback_of(const void *running) { current = running; }

long runtime_identity(void) { return (long)current; }

const char *runtime_settings(void) {
    static char settings[64];
    snprintf(settings, sizeof settings, "{\"libuv\":\"%s\",\"threads\":1}", uv_version_string());
    return settings;
}

void check(int status, const char *what) {
    if (status < 0) fail("%s: %s", what, uv_strerror(status));
}
