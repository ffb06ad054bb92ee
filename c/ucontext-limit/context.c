// Contexts of the C library that are entered by setcontext once, and gone back to by _longjmp: neither it nor _setjmp saves
// the signal mask, so that there is no system call after a task's first turn.
#include "stackful/context.h"

#include <errno.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "harness/harness.h"

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
    uintptr_t top = (uintptr_t)stack + size - sizeof(context);
    context *new = (context *)(top - top % alignof(context));
    new->entered = false;
    if (getcontext(&new->entry) != 0) fail("getcontext: %s", strerror(errno));
    new->entry.uc_stack.ss_sp = stack;
    new->entry.uc_stack.ss_size = (size_t)((char *)new - (char *)stack);
    new->entry.uc_link = NULL;
    makecontext(&new->entry, entry, 0);
    return new;
}

void context_switch(context *from, context *to) {
    if (_setjmp(from->left) != 0) return;
    if (to->entered) _longjmp(to->left, 1);
    to->entered = true;
    setcontext(&to->entry);
    fail("setcontext: %s", strerror(errno));
}
