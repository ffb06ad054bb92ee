// Parks n tasks at a gate, each eight calls deep with 1 KiB of local bytes, and holds before, while and after they live.
#include <string.h>

#include "holds.h"

enum { DEPTH = 8, BYTES = 1024 };

// Not inlined and no tail call: each level has a frame of its own.
static __attribute__((noinline, noclone)) long level(int depth, struct parked *self) {
    long result;
    if (depth < DEPTH) {
        result = level(depth + 1, self);
        __asm__ volatile("" : "+r"(result));
    } else {
        unsigned char bytes[BYTES];
        memset(bytes, (int)(self->i % 251), sizeof bytes);
        // The compiler must take them all for read, else it could keep only the last.
        __asm__ volatile("" : : "r"(bytes) : "memory");
        park(self);
        result = self->i - self->i % 251 + bytes[BYTES - 1];
    }
    return result;
}

static long body(void *argument) {
    struct parked *self = argument;
    event("run", self->i);
    long result = level(1, self);
    event("done", self->i);
    return result;
}

int main(int argc, char **argv) {
    begin("memory-state", argc, argv, (const char *const[]){"n", NULL});
    hold_tasks(parameter("n"), body);
    end();
}
