// The events of a trace, in the order in which they happened.
#include "harness/trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/failure.h"

struct happened {
    const char *kind;
    long task, unit;
};

bool tracing;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct happened *events;
static size_t count, room;
static long numbered;

void record_event(const char *kind, long i) {
    struct happened now = {kind, i, runtime_identity()};
    pthread_mutex_lock(&lock);
    if (count == room) {
        room = room ? 2 * room : 1024;
        events = realloc(events, room * sizeof *events);
        if (events == NULL) fail("no memory for %zu events", room);
    }
    events[count++] = now;
    pthread_mutex_unlock(&lock);
}

long task_number(void) {
    if (!tracing) return 0;
    pthread_mutex_lock(&lock);
    long number = numbered++;
    pthread_mutex_unlock(&lock);
    return number;
}

void write_trace(void) {
    pthread_mutex_lock(&lock);
    printf("{\"type\":\"trace\",\"events\":[");
    for (size_t i = 0; i < count; i++) {
        printf("%s[\"%s\",%ld,", i ? "," : "", events[i].kind, events[i].task);
        if (events[i].unit == 0) {
            printf("\"main\"]");
        } else {
            printf("\"%ld\"]", events[i].unit);
        }
    }
    printf("]}\n");
    pthread_mutex_unlock(&lock);
}
