// Reads and sleeps that leave the thread to the other tasks.
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/harness.h"
#include "poller/poller.h"
#include "stackful/scheduler.h"

void task_socketpair(int sockets[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) != 0) fail("socketpair: %s", strerror(errno));
}

long task_read(int socket, void *bytes, size_t most) {
    ssize_t received;
    while ((received = read(socket, bytes, most)) < 0 && errno == EAGAIN) {
        poller_await(socket, task_current());
        task_park();
    }
    return received;
}

void task_close(int socket) {
    poller_forget(socket);
    close(socket);
}

// The poller is asked when no task can go on.
void task_yield_to_timers(void) { task_sleep(0); }

void task_sleep(long nanoseconds) {
    poller_sleep(nanoseconds, task_current());
    task_park();
}
