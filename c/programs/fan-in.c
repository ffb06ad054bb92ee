// p producers send m messages each to one consumer, over a channel that holds 128.
#include <stdlib.h>

#include "crew.h"

struct producer {
    long i, value, m;
    channel *outbox;
};

struct consumer {
    long i, messages;
    channel *inbox;
};

static long produce(void *argument) {
    struct producer *self = argument;
    event("run", self->i);
    for (long sent = 0; sent < self->m; sent++) channel_send(self->outbox, self->value);
    event("done", self->i);
    return self->m;
}

static long consume(void *argument) {
    struct consumer *self = argument;
    event("run", self->i);
    long checksum = 0, message;
    while (channel_receive(self->inbox, &message)) {
        self->messages++;
        checksum += message;
    }
    event("done", self->i);
    return checksum;
}

int main(int argc, char **argv) {
    begin("fan-in", argc, argv, (const char *const[]){"p", "m", NULL});
    long p = parameter("p"), m = parameter("m");
    task **tasks = allocate((size_t)p * sizeof(task *));
    struct producer *producers = allocate((size_t)p * sizeof *producers);
    while (wanted()) {
        long first = nonce() + 1, finished = 0;
        channel *messages = channel_new(128);
        struct consumer consumer = {.i = p, .inbox = messages};
        start_clock();
        for (long i = 0; i < p; i++) {
            producers[i] = (struct producer){i, first + i, m, messages};
            tasks[i] = start_task(i, produce, &producers[i]);
        }
        task *consuming = start_task(p, consume, &consumer);
        for (long i = 0; i < p; i++) {
            join_task(i, tasks[i]);
            finished++;
        }
        channel_close(messages);
        long checksum = join_task(p, consuming);
        finished++;
        stop_clock();
        record(consumer.messages, (struct count[]){{"finished", finished},
                                                   {"messages", consumer.messages},
                                                   {"checksum", checksum},
                                                   {NULL, 0}});
        channel_free(messages);
    }
    free(producers);
    free(tasks);
    end();
}
