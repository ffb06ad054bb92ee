// Tasks of one thread that wait for a descriptor or for a time, over epoll. It is asked when no task can go on.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Has a task woken when the descriptor can be read. One task at a time waits for a descriptor, when a read has found nothing.
void poller_await(int descriptor, void *task);

// Forgets a descriptor; to be called before it is closed.
void poller_forget(int descriptor);

// Has a task woken when so many nanoseconds have passed.
void poller_sleep(long nanoseconds, void *task);

// Waits for the first that happens, and hands every task that can go on to `wake`. False where no task waits.
bool poller_wait(void (*wake)(void *task));

#ifdef __cplusplus
}
#endif
