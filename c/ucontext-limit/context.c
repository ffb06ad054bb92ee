// Contexts of the C library that are entered by setcontext once, and gone back to by _longjmp: neither it nor _setjmp saves
// the signal mask, so that there is no system call after a task's first turn.
#include "stackful/context.h"

#include <errno.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#include "harness/harness.h"
#include "stackful/prepared.h"

struct context {
    bool entered;
    jmp_buf left;  // where it was left, once it has been entered
    ucontext_t entry;
};

context *context_here(void) {
    static context here = {.entered = true};
    return &here;
}

context *context_new(void *stack, size_t size, void (*entry)(void)) {
    context *new = top_of_stack(stack, size, sizeof *new, alignof(context));
    new->entered = false;
    prepare_entry(&new->entry, stack, new, entry);
    return new;
}

void context_switch(context *from, context *to) {
    if (_setjmp(from->left) != 0) return;
    if (to->entered) _longjmp(to->left, 1);
    to->entered = true;
    setcontext(&to->entry);
    fail("setcontext: %s", strerror(errno));
}
