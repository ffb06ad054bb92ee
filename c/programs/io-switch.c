// Two tasks send a byte back and forth over a pair of Unix stream sockets.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "crew.h"

struct side {
    long i, m;
    int socket;
};

static void send_byte(int socket, char byte) {
    if (write(socket, &byte, 1) != 1) fail("write: %s", strerror(errno));
}

// Each byte is 1, so what the tasks received adds up to the number of messages.
static char receive_byte(int socket) {
    char byte;
    long received = task_read(socket, &byte, 1);
    if (received != 1) fail("read: %s", received == 0 ? "the other side is gone" : strerror(errno));
    return byte;
}

static long first(void *argument) {
    struct side *self = argument;
    event("run", self->i);
    long received = 0;
    for (long trip = 0; trip < self->m; trip++) {
        send_byte(self->socket, 1);
        received += receive_byte(self->socket);
    }
    event("done", self->i);
    return received;
}

static long second(void *argument) {
    struct side *self = argument;
    event("run", self->i);
    long received = 0;
    for (long trip = 0; trip < self->m; trip++) {
        char byte = receive_byte(self->socket);
        received += byte;
        send_byte(self->socket, byte);
    }
    event("done", self->i);
    return received;
}

int main(int argc, char **argv) {
    begin("io-switch", argc, argv, (const char *const[]){"m", NULL});
    const task_body bodies[] = {first, second};
    while (wanted()) {
        int sockets[2];
        task_socketpair(sockets);
        struct side sides[2];
        task *tasks[2];
        long finished = 0, messages = 0;
        start_clock();
        for (long i = 0; i < 2; i++) {
            sides[i] = (struct side){i, parameter("m"), sockets[i]};
            tasks[i] = start_task(i, bodies[i], &sides[i]);
        }
        for (long i = 0; i < 2; i++) {
            messages += join_task(i, tasks[i]);
            finished++;
        }
        stop_clock();
        record(messages / 2, (struct count[]){{"finished", finished}, {"messages", messages}, {NULL, 0}});
        for (int i = 0; i < 2; i++) task_close(sockets[i]);
    }
    end();
}
