// Starts a task that starts the next as its last act, n in all.
#include <stdatomic.h>

#include "crew.h"

struct chain {
    long next, end, checksum;
    gate *last_ran;
    atomic_long ended;
};

static long body(void *argument) {
    struct chain *chain = argument;
    long i = chain->next++;
    event("run", i);
    chain->checksum += i;
    if (i + 1 < chain->end) {
        task_detach(start_task(i + 1, body, chain));
    } else {
        gate_open(chain->last_ran);
    }
    event("done", i);
    atomic_fetch_add(&chain->ended, 1);
    return i;
}

int main(int argc, char **argv) {
    begin("spawn-chain", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    while (wanted()) {
        long first = nonce();
        struct chain chain = {.next = first, .end = first + n, .last_ran = gate_new()};
        start_clock();
        task_detach(start_task(first, body, &chain));
        gate_wait(chain.last_ran);
        stop_clock();
        long finished = chain.next - first;
        record(finished, (struct count[]){{"finished", finished}, {"checksum", chain.checksum}, {NULL, 0}});
        // The last statements of the tasks still use the chain.
        while (atomic_load(&chain.ended) < n) task_yield();
        gate_free(chain.last_ran);
    }
    end();
}
