// The switch between stacks; each kind of stackful task has its own.
#pragma once

#include <stddef.h>

typedef struct context context;

// The context of the process's own stack, to be filled by the first switch away from it.
context *context_here(void);

// A context that starts `entry` on a stack of its own when it is first switched to. `entry` never returns.
// It lies at the top of that stack, and goes with it.
context *context_new(void *stack, size_t size, void (*entry)(void));

void context_switch(context *from, context *to);
