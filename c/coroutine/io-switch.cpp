// Two tasks send a byte back and forth over a pair of Unix stream sockets.
#include <sys/socket.h>

#include "coroutine/crew.hpp"
#include "coroutine/polling.hpp"

using namespace coroutines;

static void send_byte(int socket, char byte) {
    if (write(socket, &byte, 1) != 1) fail("write: %s", std::strerror(errno));
}

// Each byte is 1, so what the tasks received adds up to the number of messages.
static task<long> ask(long i, long m, int socket) {
    event("run", i);
    long received = 0;
    for (long trip = 0; trip < m; trip++) {
        send_byte(socket, 1);
        received += co_await receive_byte(socket);
    }
    event("done", i);
    co_return received;
}

static task<long> answer(long i, long m, int socket) {
    event("run", i);
    long received = 0;
    for (long trip = 0; trip < m; trip++) {
        char byte = co_await receive_byte(socket);
        received += byte;
        send_byte(socket, byte);
    }
    event("done", i);
    co_return received;
}

static task<bool> measure(long m) {
    while (wanted()) {
        int sockets[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets) != 0) fail("socketpair: %s", std::strerror(errno));
        long finished = 0, messages = 0;
        start_clock();
        std::array<task<long>, 2> tasks{start(0, ask(0, m, sockets[0])), start(1, answer(1, m, sockets[1]))};
        for (task<long> &one : tasks) {
            messages += co_await one;
            event("collect", finished);
            finished++;
        }
        stop_clock();
        keep(messages / 2, {{"finished", finished}, {"messages", messages}});
        for (int socket : sockets) {
            poller_forget(socket);
            close(socket);
        }
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("io-switch", argc, argv, {"m"});
    run(measure(parameter("m")));
    end();
}
