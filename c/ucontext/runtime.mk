folders := harness poller stackful ucontext
programs := programs
suite := test/tasks.c
