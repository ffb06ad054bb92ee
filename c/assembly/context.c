// Contexts that are no more than a stack pointer; what a switch must save lies on the stack (switch.S).
#include "stackful/context.h"

#include <stdint.h>
#include <string.h>

struct context {
    void *stack_pointer;
};

// In switch.S: the words that it leaves on a stack, and the place of the return address among them.
extern const size_t switch_words, switch_return;
void switch_stacks(void **from, void *to);

context *context_here(void) {
    static context here;
    return &here;
}

context *context_new(void *stack, size_t size, void (*entry)(void)) {
    context *new = (context *)((char *)stack + size) - 1;
    uintptr_t *top = (uintptr_t *)((uintptr_t)new & ~(uintptr_t)15);
    uintptr_t *saved = top - switch_words;
    memset(saved, 0, switch_words * sizeof *saved);
    saved[switch_return] = (uintptr_t)entry;
    new->stack_pointer = saved;
    return new;
}

void context_switch(context *from, context *to) { switch_stacks(&from->stack_pointer, to->stack_pointer); }
