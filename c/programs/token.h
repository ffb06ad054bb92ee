// A token that travels a ring of tasks, from inbox to inbox; hand-off is the ring of two.
#pragma once

#include <stdlib.h>

#include "arrivals.h"
#include "crew.h"

typedef long take_token(void *inbox);
typedef void put_token(void *inbox, long token);

// What the tasks have for inboxes, and their body over these.
struct inboxes {
    void *(*new)(void);
    take_token *take;
    put_token *put;
    void (*free)(void *unused);
    task_body hop;
};

struct hop {
    long i, rounds;
    void *inbox, *next;
    struct arrivals *waiting;
};

// Each body names its inbox's functions: inlined there, this calls them directly.
static inline __attribute__((always_inline)) long hop_by(struct hop *self, take_token *take, put_token *put) {
    long received = 0;
    arrive(self->waiting);
    for (long round = 0; round < self->rounds; round++) {
        long token = take(self->inbox);
        event("run", self->i);
        received++;
        put(self->next, token + 1);
    }
    event("done", self->i);
    return received;
}

static void *new_channel(void) { return channel_new(1); }

static long take_from_channel(void *inbox) {
    long token;
    if (!channel_receive(inbox, &token)) fail("the task before is gone");
    return token;
}

static void put_into_channel(void *inbox, long token) { channel_send(inbox, token); }

static void free_channel(void *unused) { channel_free(unused); }

static long hop_by_channels(void *argument) { return hop_by(argument, take_from_channel, put_into_channel); }

// Channels that hold one value each.
static const struct inboxes channels = {new_channel, take_from_channel, put_into_channel, free_channel, hop_by_channels};

// Sends a token so many times around a ring of k tasks.
static void pass_token(long k, long rounds, const struct inboxes *by) {
    size_t count = (size_t)k;
    task **tasks = allocate(count * sizeof(task *));
    void **inboxes = allocate(count * sizeof(void *));
    struct hop *hops = allocate(count * sizeof *hops);
    struct arrivals waiting = arrivals_of(k);
    for (long i = 0; i < k; i++) inboxes[i] = by->new();
    for (long i = 0; i < k; i++) {
        hops[i] = (struct hop){i, rounds, inboxes[i], inboxes[(i + 1) % k], &waiting};
        tasks[i] = start_task(i, by->hop, &hops[i]);
    }
    // A task that has not run yet would find the token on its way, and the hop would wake nobody.
    gate_wait(waiting.all);

    long finished = 0, messages = 0;
    start_clock();
    by->put(inboxes[0], 0);
    for (long i = 0; i < k; i++) {
        messages += join_task(i, tasks[i]);
        finished++;
    }
    stop_clock();
    // The last task's last send: nobody else reads the first one's inbox now.
    long token = by->take(inboxes[0]);
    record(messages, (struct count[]){{"finished", finished}, {"messages", messages}, {"checksum", token}, {NULL, 0}});

    for (long i = 0; i < k; i++) by->free(inboxes[i]);
    gate_free(waiting.all);
    free(hops);
    free(inboxes);
    free(tasks);
}
