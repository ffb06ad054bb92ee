folders := harness pthread
programs := programs
limits := spawn hand-off
suite := test/tasks.c
