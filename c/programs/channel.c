// p producers send m messages each to c consumers, which share one bounded channel.
#include <stdlib.h>

#include "crew.h"

struct producer {
    long i, first, m;
    channel *outbox;
};

struct consumer {
    long i, messages;
    channel *inbox;
};

static long produce(void *argument) {
    struct producer *self = argument;
    event("run", self->i);
    for (long message = self->first; message < self->first + self->m; message++) {
        channel_send(self->outbox, message);
        event("run", self->i);
    }
    event("done", self->i);
    return self->m;
}

// The sum of the messages that came.
static long consume(void *argument) {
    struct consumer *self = argument;
    event("run", self->i);
    long checksum = 0, message;
    while (channel_receive(self->inbox, &message)) {
        event("run", self->i);
        self->messages++;
        checksum += message;
    }
    event("done", self->i);
    return checksum;
}

int main(int argc, char **argv) {
    begin("channel", argc, argv, (const char *const[]){"p", "c", "b", "m", NULL});
    long p = parameter("p"), c = parameter("c"), m = parameter("m");
    size_t room = (size_t)parameter("b");
    task **tasks = allocate((size_t)(p + c) * sizeof(task *));
    struct producer *producers = allocate((size_t)p * sizeof *producers);
    struct consumer *consumers = allocate((size_t)c * sizeof *consumers);
    while (wanted()) {
        long first = nonce(), finished = 0, messages = 0, most = 0, checksum = 0;
        start_clock();
        channel *between = channel_new(room);
        for (long i = 0; i < p; i++) {
            producers[i] = (struct producer){i, first + i * m, m, between};
            tasks[i] = start_task(i, produce, &producers[i]);
        }
        for (long j = 0; j < c; j++) {
            consumers[j] = (struct consumer){.i = p + j, .inbox = between};
            tasks[p + j] = start_task(p + j, consume, &consumers[j]);
        }
        for (long i = 0; i < p; i++) {
            join_task(i, tasks[i]);
            finished++;
        }
        channel_close(between);
        for (long j = 0; j < c; j++) {
            checksum += join_task(p + j, tasks[p + j]);
            messages += consumers[j].messages;
            if (consumers[j].messages > most) most = consumers[j].messages;
            finished++;
        }
        channel_free(between);
        stop_clock();
        record(messages,
               (struct count[]){
                   {"finished", finished}, {"messages", messages}, {"most", most}, {"checksum", checksum}, {NULL, 0}});
    }
    free(consumers);
    free(producers);
    free(tasks);
    end();
}
