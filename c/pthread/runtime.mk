folders := harness pthread
programs := programs
more_programs := pthread/programs
limits := spawn hand-off
suite := test/tasks.c
