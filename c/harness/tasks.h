// What the shared programs need of a runtime. Each runtime has its own tasks.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct task task;
typedef long (*task_body)(void *argument);

// Starts a task. It is joined once, or detached.
task *task_start(task_body body, void *argument);

// Waits for a task's end. False if it was cancelled, and then there is no result.
bool task_join(task *joined, long *result);

// Lets a task end by itself.
void task_detach(task *detached);

// Lets the others run.
void task_yield(void);

// The same, where that may leave out those whose sleep is over: lets them run as well.
void task_yield_to_timers(void);

// A pair of connected stream sockets, as task_read wants them, closed by task_close.
void task_socketpair(int sockets[2]);
void task_close(int socket);

// Waits until something has come, and returns what read returns.
long task_read(int socket, void *bytes, size_t most);

// Lets so many nanoseconds pass.
void task_sleep(long nanoseconds);

// A gate that is opened once, for all.
typedef struct gate gate;
gate *gate_new(void);
void gate_wait(gate *closed);
void gate_open(gate *closed);
void gate_free(gate *unused);

// Asks a task that waits in gate_wait_guarded to end.
void task_cancel(task *cancelled);

// Waits at a gate. Where the task is cancelled there, calls `clean_up` in it and ends it.
void gate_wait_guarded(gate *closed, void (*clean_up)(void *), void *argument);

// A queue with room for so many values. A sender waits while it is full, a receiver while it is empty.
typedef struct channel channel;
channel *channel_new(size_t room);
void channel_send(channel *to, long value);
// False when it is empty and closed.
bool channel_receive(channel *from, long *value);
void channel_close(channel *closed);
void channel_free(channel *unused);

// A place for one value, with one reader. A value that is put before the last one was taken is a failure.
typedef struct mailbox mailbox;
mailbox *mailbox_new(void);
void mailbox_put(mailbox *to, long value);
long mailbox_take(mailbox *from);
void mailbox_free(mailbox *unused);
