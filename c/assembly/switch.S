// void switch_stacks(void **from, void *to)
// Saves what the calling convention wants kept over a call, takes the other stack, restores its own and returns there.
// The floating-point control words are kept as they are: no task changes them.
        .section .note.GNU-stack, "", %progbits

#if defined(__x86_64__)
        .section .rodata
        .balign 8
        .globl switch_words, switch_return
switch_words:   .quad 8         // and one more, so that the stack is aligned as after a call
switch_return:  .quad 6

        .text
        .globl switch_stacks
        .type switch_stacks, @function
switch_stacks:
        pushq %rbp
        pushq %rbx
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        movq %rsp, (%rdi)
        movq %rsi, %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbx
        popq %rbp
        ret
        .size switch_stacks, . - switch_stacks

#elif defined(__aarch64__)
        .section .rodata
        .balign 8
        .globl switch_words, switch_return
switch_words:   .quad 20
switch_return:  .quad 11

        .text
        .globl switch_stacks
        .type switch_stacks, %function
switch_stacks:
        sub sp, sp, #160
        stp x19, x20, [sp]
        stp x21, x22, [sp, #16]
        stp x23, x24, [sp, #32]
        stp x25, x26, [sp, #48]
        stp x27, x28, [sp, #64]
        stp x29, x30, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mov x9, sp
        str x9, [x0]
        mov sp, x1
        ldp x19, x20, [sp]
        ldp x21, x22, [sp, #16]
        ldp x23, x24, [sp, #32]
        ldp x25, x26, [sp, #48]
        ldp x27, x28, [sp, #64]
        ldp x29, x30, [sp, #80]
        ldp d8, d9, [sp, #96]
        ldp d10, d11, [sp, #112]
        ldp d12, d13, [sp, #128]
        ldp d14, d15, [sp, #144]
        add sp, sp, #160
        ret
        .size switch_stacks, . - switch_stacks

#else
#error "only x86-64 and aarch64 have a switch here"
#endif
