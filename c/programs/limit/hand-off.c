// Two tasks pass a token back and forth over two mailboxes, each a place for one value and its one reader.
#include "programs/arrivals.h"
#include "programs/crew.h"

struct player {
    long i, m;
    mailbox *own, *other;
    struct arrivals *waiting;
};

static long play(void *argument) {
    struct player *self = argument;
    long received = 0;
    arrive(self->waiting);
    for (long round = 0; round < self->m; round++) {
        long token = mailbox_take(self->own);
        event("run", self->i);
        received++;
        mailbox_put(self->other, token + 1);
    }
    event("done", self->i);
    return received;
}

static void hand_off(long m) {
    mailbox *left = mailbox_new(), *right = mailbox_new();
    struct arrivals waiting = arrivals_of(2);
    struct player players[] = {{0, m, left, right, &waiting}, {1, m, right, left, &waiting}};
    task *tasks[2];
    for (long i = 0; i < 2; i++) tasks[i] = start_task(i, play, &players[i]);
    // A player that has not run yet would find the token on its way, and the hand-off would wake nobody.
    gate_wait(waiting.all);

    long finished = 0, messages = 0;
    start_clock();
    mailbox_put(left, nonce());
    for (long i = 0; i < 2; i++) {
        messages += join_task(i, tasks[i]);
        finished++;
    }
    stop_clock();
    // The last send: nobody else reads the first player's mailbox now.
    long token = mailbox_take(left);
    record(messages, (struct count[]){{"finished", finished}, {"messages", messages}, {"checksum", token}, {NULL, 0}});

    gate_free(waiting.all);
    mailbox_free(left);
    mailbox_free(right);
}

int main(int argc, char **argv) {
    begin("hand-off", argc, argv, (const char *const[]){"m", NULL});
    while (wanted()) hand_off(parameter("m"));
    end();
}
