folders := harness stackful ucontext
programs := programs
suite := test/tasks.c
