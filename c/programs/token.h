// A token that travels a ring of tasks, over channels that hold one value each; hand-off is the ring of two.
#pragma once

#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"

struct hop {
    long i, rounds;
    channel *inbox, *next;
    struct arrivals *waiting;
};

static long hop(void *argument) {
    struct hop *self = argument;
    long received = 0;
    arrive(self->waiting);
    for (long round = 0; round < self->rounds; round++) {
        long token;
        if (!channel_receive(self->inbox, &token)) fail("the task before is gone");
        event("run", self->i);
        received++;
        channel_send(self->next, token + 1);
    }
    event("done", self->i);
    return received;
}

// Sends a token so many times around a ring of k tasks.
static void pass_token(long k, long rounds) {
    size_t count = (size_t)k;
    task **tasks = allocate(count * sizeof(task *));
    channel **inboxes = allocate(count * sizeof(channel *));
    struct hop *hops = allocate(count * sizeof *hops);
    struct arrivals waiting = arrivals_of(k);
    for (long i = 0; i < k; i++) inboxes[i] = channel_new(1);
    for (long i = 0; i < k; i++) {
        hops[i] = (struct hop){i, rounds, inboxes[i], inboxes[(i + 1) % k], &waiting};
        tasks[i] = start_task(i, hop, &hops[i]);
    }
    // A task that has not run yet would find the token on its way, and the hop would wake nobody.
    gate_wait(waiting.all);

    long finished = 0, messages = 0;
    start_clock();
    channel_send(inboxes[0], nonce());
    for (long i = 0; i < k; i++) {
        messages += join_task(i, tasks[i]);
        finished++;
    }
    stop_clock();
    // The last task's last send: nobody else reads the first one's inbox now.
    long token;
    if (!channel_receive(inboxes[0], &token)) fail("the token is lost");
    record(messages, (struct count[]){{"finished", finished}, {"messages", messages}, {"checksum", token}, {NULL, 0}});

    for (long i = 0; i < k; i++) channel_free(inboxes[i]);
    gate_free(waiting.all);
    free(hops);
    free(inboxes);
    free(tasks);
}
