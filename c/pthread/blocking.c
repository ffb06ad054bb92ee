// Reads and sleeps block their thread: it is the kernel that wakes it, and there is no poller.
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "harness/harness.h"
#include "harness/tasks.h"

#define SECOND 1000000000L

void task_socketpair(int sockets[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) fail("socketpair: %s", strerror(errno));
}

long task_read(int socket, void *bytes, size_t most) { return read(socket, bytes, most); }

void task_close(int socket) { close(socket); }

void task_sleep(long nanoseconds) {
    struct timespec rest = {.tv_sec = nanoseconds / SECOND, .tv_nsec = nanoseconds % SECOND};
    while (nanosleep(&rest, &rest) != 0) {
        if (errno != EINTR) fail("nanosleep: %s", strerror(errno));
    }
}
