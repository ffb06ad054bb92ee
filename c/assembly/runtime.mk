folders := harness stackful assembly
programs := programs
suite := test/tasks.c
