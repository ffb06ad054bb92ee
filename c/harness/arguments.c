// Each key is taken once; what is left over is an error.
#include "harness/arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/failure.h"

static char taken[] = "";

static const char *find(int argc, char **argv, const char *key) {
    size_t length = strlen(key);
    const char *found = NULL;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], key, length) != 0 || argv[i][length] != '=') continue;
        if (found != NULL) usage("%s is given twice", key);
        found = argv[i] + length + 1;
        argv[i] = taken;
    }
    return found;
}

static const char *take(int argc, char **argv, const char *key) {
    const char *value = find(argc, argv, key);
    if (value == NULL) usage("%s is missing", key);
    return value;
}

static long integer(const char *key, const char *value, long least, long most) {
    char *rest;
    errno = 0;
    long number = strtol(value, &rest, 10);
    bool plain = value[0] >= '0' && value[0] <= '9' && *rest == '\0' && errno == 0;
    if (!plain || number < least || number > most) usage("%s=%s must be an integer from %ld to %ld", key, value, least, most);
    return number;
}

// A key that may be left out, which is as good as 0.
static long optional(int argc, char **argv, const char *key, long most) {
    const char *value = find(argc, argv, key);
    return value == NULL ? 0 : integer(key, value, 0, most);
}

static bool flag(int argc, char **argv, const char *key) { return optional(argc, argv, key, 1) == 1; }

void refuse_others(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (argv[i] != taken) usage("%s: no such key", argv[i]);
    }
}

struct arguments parse_arguments(int argc, char **argv, const char *const names[]) {
    struct arguments parsed = {
        .iterations = integer("iterations", take(argc, argv, "iterations"), 1, 10000),
        .min_warm_ms = integer("min_warm_ms", take(argc, argv, "min_warm_ms"), 0, INT_MAX),
        .nonce = optional(argc, argv, "nonce", INT_MAX),
        .trace = flag(argc, argv, "trace"),
        .count = flag(argc, argv, "count"),
    };
    for (const char *const *name = names; *name != NULL; name++) {
        long value = integer(*name, take(argc, argv, *name), 1, 1L << 32);
        parsed.parameters[parsed.parameter_count++] = (struct parameter){*name, value};
    }
    refuse_others(argc, argv);
    return parsed;
}

int choice(int argc, char **argv, const char *key, const char *const words[]) {
    const char *value = take(argc, argv, key);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(value, words[i]) == 0) return i;
    }
    usage("%s=%s is none of its words", key, value);
}

struct startup_arguments parse_startup(int argc, char **argv) {
    const char *const modes[] = {"bare", "first-task", NULL};
    int mode = choice(argc, argv, "mode", modes);
    struct startup_arguments parsed = {
        .mode = mode == 0 ? "bare" : "first-task",
        .first_task = mode == 1,
        .report = flag(argc, argv, "report"),
    };
    refuse_others(argc, argv);
    return parsed;
}
