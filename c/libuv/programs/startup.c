// Does nothing, or sets up the loop and runs one callback of it.
#include "harness/starting.h"
#include "libuv/callbacks.h"

static void one(uv_timer_t *timer) {
    *(long *)timer->data = 1;
    uv_close((uv_handle_t *)timer, NULL);
}

static long first_callback(void) {
    long result = 0;
    uv_loop_t loop;
    check(uv_loop_init(&loop), "uv_loop_init");
    uv_timer_t timer = {.data = &result};
    check(uv_timer_init(&loop, &timer), "uv_timer_init");
    check(uv_timer_start(&timer, one, 0, 0), "uv_timer_start");
    uv_run(&loop, UV_RUN_DEFAULT);
    check(uv_loop_close(&loop), "uv_loop_close");
    return result;
}

int main(int argc, char **argv) { start_up(argc, argv, first_callback); }
