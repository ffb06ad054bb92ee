// Arms n timers for an hour, with no task behind them, and closes them all.
#include <stdlib.h>

#include "harness/harness.h"
#include "libuv/callbacks.h"

enum { HOUR_MS = 3600000 };

static void fired(uv_timer_t *timer) {
    (void)timer;
    fail("a timer of %d ms fired", HOUR_MS);
}

static uv_timer_t *arm(uv_loop_t *loop) {
    uv_timer_t *timer = allocate(sizeof *timer);
    check(uv_timer_init(loop, timer), "uv_timer_init");
    check(uv_timer_start(timer, fired, HOUR_MS, 0), "uv_timer_start");
    return timer;
}

static void release(uv_handle_t *closed) { free(closed); }

int main(int argc, char **argv) {
    begin("memory-timer", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n"), created = 0, finished = 0;
    uv_loop_t loop;
    check(uv_loop_init(&loop), "uv_loop_init");
    hold("base", 0);

    start_clock();
    uv_timer_t **timers = allocate((size_t)n * sizeof *timers);
    for (; created < n; created++) timers[created] = arm(&loop);
    hold("live", created);

    for (long i = 0; i < n; i++) {
        finished += uv_is_active((uv_handle_t *)timers[i]);
        uv_close((uv_handle_t *)timers[i], release);
    }
    // Closes them: it ends when no handle is left.
    uv_run(&loop, UV_RUN_DEFAULT);
    free(timers);
    stop_clock();
    hold("released", created - finished);
    record(finished, (struct count[]){{"created", created}, {"finished", finished}, {NULL, 0}});
    check(uv_loop_close(&loop), "uv_loop_close");
    end();
}
