// Resumes one coroutine n times by its handle.
#include "coroutine/generator.hpp"
#include "harness/program.hpp"

using namespace coroutines;

// Hands out one more than it was sent last; it ends with the n-th. Its caller does not know which coroutine it gets.
[[gnu::noipa]] static generator adder(long value, long n) {
    for (long turn = 0; turn < n; turn++) {
        value = (co_yield value) + 1;
        event("run", 0);
    }
    event("done", 0);
    co_return value;
}

// What it hands out with the n-th. Whether there is a trace is asked once, not at each resume.
template <long (generator::*resume)(long)> static long resume_all(generator &one, long n) {
    long value = (one.*resume)(0);
    for (long turn = 0; turn < n; turn++) value = (one.*resume)(value);
    return value;
}

int main(int argc, char **argv) {
    begin_program("generator", argc, argv, {"n"});
    long n = parameter("n");
    while (wanted()) {
        start_clock();
        event("spawn", 0);
        generator one = adder(nonce(), n);
        event("spawned", 0);
        long value = tracing ? resume_all<&generator::resume_traced>(one, n) : resume_all<&generator::resume>(one, n);
        stop_clock();
        keep(value - nonce(), {{"finished", one.ended() ? 1 : 0}, {"checksum", value}});
    }
    end();
}
