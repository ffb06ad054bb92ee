// Descriptors are watched by edge, so that a wait after the first one makes no system call of its own; times are a binary heap.
#include "poller/poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/harness.h"

enum { MOST_EVENTS = 64 };

struct watched {
    bool known;
    void *reader;
};

struct sleeper {
    long due;
    void *task;
};

static int epoll = -1;
static struct watched *watched;  // by descriptor
static size_t watched_room;
static long readers;
static struct sleeper *sleepers;  // a heap, the earliest first
static size_t sleeping, sleepers_room;

static void *grown(void *memory, size_t *room, size_t least, size_t size) {
    size_t larger = *room ? *room : 64;
    while (larger < least) larger *= 2;
    if (larger == *room) return memory;
    memory = realloc(memory, larger * size);
    if (memory == NULL) fail("no memory for %zu waits", larger);
    memset((char *)memory + *room * size, 0, (larger - *room) * size);
    *room = larger;
    return memory;
}

static void open_epoll(void) {
    if (epoll < 0 && (epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) fail("epoll_create1: %s", strerror(errno));
}

void poller_await(int descriptor, void *task) {
    watched = grown(watched, &watched_room, (size_t)descriptor + 1, sizeof *watched);
    struct watched *one = &watched[descriptor];
    if (!one->known) {
        open_epoll();
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = descriptor};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
        one->known = true;
    }
    if (one->reader != NULL) fail("two tasks wait for descriptor %d", descriptor);
    one->reader = task;
    readers++;
}

void poller_forget(int descriptor) {
    if ((size_t)descriptor >= watched_room || !watched[descriptor].known) return;
    if (epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL) != 0) fail("epoll_ctl: %s", strerror(errno));
    watched[descriptor].known = false;
}

void poller_sleep(long nanoseconds, void *task) {
    sleepers = grown(sleepers, &sleepers_room, sleeping + 1, sizeof *sleepers);
    struct sleeper new = {now() + nanoseconds, task};
    size_t place = sleeping++;
    for (size_t above; place > 0 && new.due < sleepers[above = (place - 1) / 2].due; place = above) {
        sleepers[place] = sleepers[above];
    }
    sleepers[place] = new;
}

static void *take_first(void) {
    void *task = sleepers[0].task;
    struct sleeper last = sleepers[--sleeping];
    size_t place = 0;
    for (size_t below; (below = 2 * place + 1) < sleeping; place = below) {
        if (below + 1 < sleeping && sleepers[below + 1].due < sleepers[below].due) below++;
        if (last.due <= sleepers[below].due) break;
        sleepers[place] = sleepers[below];
    }
    sleepers[place] = last;
    return task;
}

// How long the kernel may wait: NULL is for ever.
static const struct timespec *limit(struct timespec *left) {
    if (sleeping == 0) return NULL;
    long nanoseconds = sleepers[0].due - now();
    if (nanoseconds < 0) nanoseconds = 0;
    *left = (struct timespec){.tv_sec = nanoseconds / SECOND, .tv_nsec = nanoseconds % SECOND};
    return left;
}

static void wake_reader(int descriptor, void (*wake)(void *task)) {
    void *task = watched[descriptor].reader;
    if (task == NULL) return;
    watched[descriptor].reader = NULL;
    readers--;
    wake(task);
}

bool poller_wait(void (*wake)(void *task)) {
    if (readers == 0 && sleeping == 0) return false;
    open_epoll();
    struct epoll_event events[MOST_EVENTS];
    struct timespec left;
    int count = epoll_pwait2(epoll, events, MOST_EVENTS, limit(&left), NULL);
    if (count < 0 && errno != EINTR) fail("epoll_pwait2: %s", strerror(errno));
    for (int i = 0; i < count; i++) wake_reader(events[i].data.fd, wake);
    if (sleeping == 0) return true;
    for (long time = now(); sleeping > 0 && sleepers[0].due <= time;) wake(take_first());
    return true;
}
