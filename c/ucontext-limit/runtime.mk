folders := harness poller stackful ucontext-limit
programs := programs
suite := test/tasks.c
