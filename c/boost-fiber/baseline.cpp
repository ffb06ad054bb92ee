// Calls the task's body n times as a plain function.
#include "boost-fiber/crew.hpp"

static __attribute__((noipa)) long body(long i) { return i; }

int main(int argc, char **argv) {
    begin_program("baseline", argc, argv, {"n"});
    long n = parameter("n");
    while (wanted()) {
        long first = nonce(), finished = 0, checksum = 0;
        start_clock();
        for (long i = first; i < first + n; i++) {
            checksum += body(i);
            finished++;
        }
        stop_clock();
        keep(finished, {{"finished", finished}, {"checksum", checksum}});
    }
    end();
    return 0;
}
