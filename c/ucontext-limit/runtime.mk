folders := harness poller stackful ucontext-limit
programs := programs
limits := spawn switch hand-off
suite := test/tasks.c
