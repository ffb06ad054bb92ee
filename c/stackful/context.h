// The switch between stacks; each kind of stackful task has its own.
#pragma once

#include <stddef.h>

typedef struct context context;

// A context of the stack that is running, to be filled by the first switch away from it.
context *context_here(void);

// A context that starts `entry` on a stack of its own when it is first switched to. `entry` never returns.
context *context_new(void *stack, size_t size, void (*entry)(void));

void context_switch(context *from, context *to);
void context_free(context *unused);
