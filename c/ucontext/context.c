// Contexts of the C library, which save the signal mask by a system call at every switch.
#include "stackful/context.h"

#include <errno.h>
#include <stdalign.h>
#include <string.h>
#include <ucontext.h>

#include "harness/harness.h"
#include "stackful/prepared.h"

struct context {
    ucontext_t saved;
};

context *context_here(void) {
    static context here;
    return &here;
}

context *context_new(void *stack, size_t size, void (*entry)(void)) {
    context *new = top_of_stack(stack, size, sizeof *new, alignof(context));
    prepare_entry(&new->saved, stack, new, entry);
    return new;
}

void context_switch(context *from, context *to) {
    if (swapcontext(&from->saved, &to->saved) != 0) fail("swapcontext: %s", strerror(errno));
}
