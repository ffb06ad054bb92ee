// Resumes one coroutine n times: each is a switch to its stack and one back, which the scheduler knows nothing of.
#include <stdlib.h>

#include "harness/harness.h"
#include "stackful/scheduler.h"

// A switch hands no value over: it lies here, where both sides see it.
struct adder {
    context *own, *caller;
    void *stack;
    long value, n;
    bool ended;
};

// What the next one that is entered is to be: an entry takes no argument.
static struct adder *entered;

// Leaves the value one greater at each resume; it ends with the n-th.
static void add(void) {
    struct adder *self = entered;
    for (long turn = 0; turn < self->n; turn++) {
        context_switch(self->own, self->caller);
        self->value++;
        event("run", 0);
    }
    event("done", 0);
    self->ended = true;
    context_switch(self->own, self->caller);
    fail("a coroutine went on after its end");
}

static void resume(struct adder *suspended) { context_switch(suspended->caller, suspended->own); }

static void make(struct adder *new, long value, long n) {
    *new = (struct adder){.caller = context_here(), .stack = allocate(STACK_BYTES), .value = value, .n = n};
    new->own = context_new(new->stack, STACK_BYTES, add);
    trace_stack(new->stack);
    entered = new;
}

int main(int argc, char **argv) {
    begin("generator", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    while (wanted()) {
        struct adder adder;
        start_clock();
        event("spawn", 0);
        make(&adder, nonce(), n);
        event("spawned", 0);
        resume(&adder);
        for (long turn = 0; turn < n; turn++) resume(&adder);
        stop_clock();
        record(adder.value - nonce(), (struct count[]){{"finished", adder.ended}, {"checksum", adder.value}, {NULL, 0}});
        free(adder.stack);
    }
    end();
}
