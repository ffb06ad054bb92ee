// A tree of tasks: each starts ten children, down to n leaves, and sums up their results.
#include "crew.h"

enum { CHILDREN = 10 };

struct node {
    long i, first, leaves;
    // Tasks joined below this one.
    long below;
};

static struct node node_of(long first, long leaves) {
    return (struct node){.i = task_number(), .first = first, .leaves = leaves};
}

static long body(void *argument) {
    struct node *self = argument;
    event("run", self->i);
    long sum = self->first;
    if (self->leaves > 1) {
        struct node children[CHILDREN];
        task *tasks[CHILDREN];
        long tenth = self->leaves / CHILDREN;
        for (int c = 0; c < CHILDREN; c++) {
            children[c] = node_of(self->first + c * tenth, tenth);
            tasks[c] = start_task(children[c].i, body, &children[c]);
        }
        sum = 0;
        for (int c = 0; c < CHILDREN; c++) {
            sum += join_task(children[c].i, tasks[c]);
            self->below += 1 + children[c].below;
        }
    }
    event("done", self->i);
    return sum;
}

static void check_power_of_ten(long n) {
    while (n % 10 == 0) n /= 10;
    if (n != 1) fail("n must be a power of ten");
}

int main(int argc, char **argv) {
    begin("tree", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    check_power_of_ten(n);
    while (wanted()) {
        struct node top = node_of(nonce(), n);
        start_clock();
        long checksum = join_task(top.i, start_task(top.i, body, &top));
        stop_clock();
        long finished = 1 + top.below;
        record(finished, (struct count[]){{"finished", finished}, {"checksum", checksum}, {NULL, 0}});
    }
    end();
}
