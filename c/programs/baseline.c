// Calls the task's body n times as a plain function.
#include "harness/harness.h"

static __attribute__((noipa)) long body(long i) { return i; }

int main(int argc, char **argv) {
    begin("baseline", argc, argv, (const char *const[]){"n", NULL});
    long n = parameter("n");
    while (wanted()) {
        long first = nonce(), finished = 0, checksum = 0;
        start_clock();
        for (long i = first; i < first + n; i++) {
            checksum += body(i);
            finished++;
        }
        stop_clock();
        record(finished, (struct count[]){{"finished", finished}, {"checksum", checksum}, {NULL, 0}});
    }
    end();
}
