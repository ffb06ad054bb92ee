// What the poller asks of the C library, and musl has not; included before every source of a build with musl.
#pragma once

#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __GLIBC__
#error "this C library is not musl"
#endif

static inline int musl_epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *left,
                                    const sigset_t *signals) {
    return (int)syscall(SYS_epoll_pwait2, epoll, events, most, left, signals, _NSIG / 8);
}

#define epoll_pwait2 musl_epoll_pwait2
