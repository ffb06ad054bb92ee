/* The clocks that OCaml does not tell in nanoseconds: monotonic time, and the CPU time of the process. */

#include <caml/mlvalues.h>
#include <time.h>

static value tell(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return Val_long((intnat)now.tv_sec * 1000000000 + now.tv_nsec);
}

value corobench_clock(value unit) {
    (void)unit;
    return tell(CLOCK_MONOTONIC);
}

value corobench_cpu(value unit) {
    (void)unit;
    return tell(CLOCK_PROCESS_CPUTIME_ID);
}
