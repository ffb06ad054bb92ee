// Two sides send a byte back and forth over a pair of Unix stream sockets, each from its callbacks.
#include <sys/socket.h>

#include "harness/harness.h"
#include "libuv/callbacks.h"

struct side {
    uv_pipe_t pipe;
    uv_timer_t beginning;
    uv_write_t writing;
    long i, m, received;
    char byte;
};

// Task 0 asks, task 1 answers.
static bool asks(const struct side *self) { return self->i == 0; }

static void sent(uv_write_t *writing, int status) {
    struct side *self = writing->data;
    check(status, "uv_write");
    callback_of(self);
    if (!asks(self) && self->received == self->m) event("done", self->i);
    callback_of(NULL);
}

static void send_byte(struct side *self, char byte) {
    self->byte = byte;
    uv_buf_t bytes = uv_buf_init(&self->byte, 1);
    check(uv_write(&self->writing, (uv_stream_t *)&self->pipe, &bytes, 1, sent), "uv_write");
}

static void place(uv_handle_t *pipe, size_t suggested, uv_buf_t *bytes) {
    (void)suggested;
    struct side *self = pipe->data;
    *bytes = uv_buf_init(&self->byte, 1);
}

// Each byte is 1, so what the sides received adds up to the number of messages.
static void receive(uv_stream_t *pipe, ssize_t count, const uv_buf_t *bytes) {
    if (count == 0) return;  // nothing there after all
    check((int)count, "uv_read_start");
    struct side *self = pipe->data;
    callback_of(self);
    self->received += bytes->base[0];
    if (self->received == self->m) {
        check(uv_read_stop(pipe), "uv_read_stop");
        if (asks(self)) event("done", self->i);
    }
    if (!asks(self)) {
        send_byte(self, bytes->base[0]);
    } else if (self->received < self->m) {
        send_byte(self, 1);
    }
    callback_of(NULL);
}

static void begin_side(uv_timer_t *beginning) {
    struct side *self = beginning->data;
    callback_of(self);
    event("run", self->i);
    check(uv_read_start((uv_stream_t *)&self->pipe, place, receive), "uv_read_start");
    if (asks(self)) send_byte(self, 1);
    callback_of(NULL);
}

static void open_side(uv_loop_t *loop, struct side *new, uv_os_sock_t socket) {
    check(uv_pipe_init(loop, &new->pipe, 0), "uv_pipe_init");
    check(uv_pipe_open(&new->pipe, socket), "uv_pipe_open");
    check(uv_timer_init(loop, &new->beginning), "uv_timer_init");
    new->pipe.data = new->beginning.data = new->writing.data = new;
}

static void start(struct side *new) {
    event("spawn", new->i);
    check(uv_timer_start(&new->beginning, begin_side, 0, 0), "uv_timer_start");
    event("spawned", new->i);
}

int main(int argc, char **argv) {
    begin("io-switch", argc, argv, (const char *const[]){"m", NULL});
    uv_loop_t loop;
    check(uv_loop_init(&loop), "uv_loop_init");
    while (wanted()) {
        uv_os_sock_t sockets[2];
        check(uv_socketpair(SOCK_STREAM, 0, sockets, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), "uv_socketpair");
        struct side sides[2];
        for (long i = 0; i < 2; i++) {
            sides[i] = (struct side){.i = i, .m = parameter("m")};
            open_side(&loop, &sides[i], sockets[i]);
        }
        long finished = 0, messages = 0;
        start_clock();
        for (long i = 0; i < 2; i++) start(&sides[i]);
        // Ends when nobody reads or writes any more.
        uv_run(&loop, UV_RUN_DEFAULT);
        for (long i = 0; i < 2; i++) {
            messages += sides[i].received;
            event("collect", i);
            finished++;
        }
        stop_clock();
        record(messages / 2, (struct count[]){{"finished", finished}, {"messages", messages}, {NULL, 0}});
        for (long i = 0; i < 2; i++) {
            uv_close((uv_handle_t *)&sides[i].pipe, NULL);
            uv_close((uv_handle_t *)&sides[i].beginning, NULL);
        }
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    check(uv_loop_close(&loop), "uv_loop_close");
    end();
}
