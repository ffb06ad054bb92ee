folders := harness pthread
programs := programs
suite := test/tasks.c
