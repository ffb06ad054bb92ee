folders := harness poller stackful assembly
programs := programs
suite := test/tasks.c
