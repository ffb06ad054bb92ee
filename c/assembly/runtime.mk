folders := harness poller stackful assembly
programs := programs
limits := hand-off
suite := test/tasks.c
