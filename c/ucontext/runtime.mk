folders := harness poller stackful ucontext
programs := programs
more_programs := programs/stackful
suite := test/tasks.c
