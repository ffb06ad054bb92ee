// What the runtimes of the C library's contexts share: such a context lies at the top of its stack, and starts there once.
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "harness/harness.h"

// The highest place in a stack for so many bytes.
static inline void *top_of_stack(void *stack, size_t size, size_t bytes, size_t alignment) {
    uintptr_t top = (uintptr_t)stack + size - bytes;
    return (void *)(top - top % alignment);
}

// Makes a context start `entry`, with the stack up to `end`.
static inline void prepare_entry(ucontext_t *made, void *stack, void *end, void (*entry)(void)) {
    if (getcontext(made) != 0) fail("getcontext: %s", strerror(errno));
    made->uc_stack.ss_sp = stack;
    made->uc_stack.ss_size = (size_t)((char *)end - (char *)stack);
    made->uc_link = NULL;
    makecontext(made, entry, 0);
}
