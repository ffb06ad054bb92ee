// Starts n timers whose callbacks each wait until a deadline of their own, spread over a second.
#include <stdlib.h>

#include "harness/clock.h"
#include "harness/harness.h"
#include "libuv/callbacks.h"

#define MS (SECOND / 1000)
#define GRACE MS  // a sleeper that woke earlier than this before its deadline woke too early

struct sleeper {
    uv_timer_t timer;
    long i, deadline, woken;
};

static void wake(uv_timer_t *timer) {
    struct sleeper *self = timer->data;
    self->woken = now();
    callback_of(self);
    event("done", self->i);
    callback_of(NULL);
}

static void fall_asleep(uv_timer_t *timer) {
    struct sleeper *self = timer->data;
    callback_of(self);
    event("run", self->i);
    long left = self->deadline - now();
    // A timer counts from the time that the loop keeps, which was read before the callbacks of this turn.
    uv_update_time(timer->loop);
    check(uv_timer_start(timer, wake, left > 0 ? (uint64_t)((left + MS - 1) / MS) : 0, 0), "uv_timer_start");
    callback_of(NULL);
}

static void start(uv_loop_t *loop, struct sleeper *new) {
    event("spawn", new->i);
    check(uv_timer_init(loop, &new->timer), "uv_timer_init");
    new->timer.data = new;
    check(uv_timer_start(&new->timer, fall_asleep, 0, 0), "uv_timer_start");
    event("spawned", new->i);
}

int main(int argc, char **argv) {
    begin("timers", argc, argv, (const char *const[]){"n", "lead", NULL});
    long n = parameter("n"), created = 0, finished = 0, checksum = 0, early = 0;
    struct sleeper *sleepers = allocate((size_t)n * sizeof *sleepers);
    long *lateness = allocate((size_t)n * sizeof *lateness);
    uv_loop_t loop;
    check(uv_loop_init(&loop), "uv_loop_init");

    start_clock();
    long first = now() + parameter("lead") * MS;
    for (long i = 0; i < n; i++) {
        sleepers[i] = (struct sleeper){.i = i, .deadline = first + i * SECOND / n};
        start(&loop, &sleepers[i]);
        created++;
    }
    // Ends when no timer is armed.
    uv_run(&loop, UV_RUN_DEFAULT);
    for (long i = 0; i < n; i++) {
        if (sleepers[i].woken == 0) fail("sleeper %ld has not woken", i);
        event("collect", i);
        checksum += sleepers[i].i;
        finished++;
    }
    stop_clock();

    for (long i = 0; i < n; i++) {
        long late = sleepers[i].woken - sleepers[i].deadline;
        early += late < -GRACE;
        lateness[i] = late > 0 ? late : 0;
        uv_close((uv_handle_t *)&sleepers[i].timer, NULL);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    check(uv_loop_close(&loop), "uv_loop_close");
    record(finished, (struct count[]){
                         {"created", created}, {"finished", finished}, {"checksum", checksum}, {"early", early}, {NULL, 0}});
    keep("lateness", lateness, n);
    end();
    free(lateness);
    free(sleepers);
}
