// Contexts of the C library, which save the signal mask by a system call at every switch.
#include "stackful/context.h"

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "harness/harness.h"

struct context {
    ucontext_t saved;
};

context *context_here(void) {
    static context here;
    return &here;
}

context *context_new(void *stack, size_t size, void (*entry)(void)) {
    uintptr_t top = (uintptr_t)stack + size - sizeof(context);
    context *new = (context *)(top - top % alignof(context));
    if (getcontext(&new->saved) != 0) fail("getcontext: %s", strerror(errno));
    new->saved.uc_stack.ss_sp = stack;
    new->saved.uc_stack.ss_size = (size_t)((char *)new - (char *)stack);
    new->saved.uc_link = NULL;
    makecontext(&new->saved, entry, 0);
    return new;
}

void context_switch(context *from, context *to) {
    if (swapcontext(&from->saved, &to->saved) != 0) fail("swapcontext: %s", strerror(errno));
}
