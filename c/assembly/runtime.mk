folders := harness poller stackful assembly
programs := programs
more_programs := programs/stackful
limits := hand-off
suite := test/tasks.c
ifneq ($(LIBC),)
CPPFLAGS += -include assembly/$(LIBC)/epoll.h
endif
