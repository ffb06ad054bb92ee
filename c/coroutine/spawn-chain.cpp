// Starts a task that starts the next as its last act, n in all.
#include "coroutine/crew.hpp"

using namespace coroutines;

struct chain {
    long end, finished = 0, checksum = 0;
    gate last_ran{};
};

static task<bool> body(long i, chain &links) {
    event("run", i);
    links.checksum += i;
    links.finished++;
    if (i + 1 < links.end) {
        start(i + 1, body(i + 1, links)).detach();
    } else {
        links.last_ran.open();
    }
    event("done", i);
    co_return true;
}

static task<bool> measure(long n) {
    while (wanted()) {
        long first = nonce();
        chain links{.end = first + n};
        start_clock();
        start(first, body(first, links)).detach();
        co_await links.last_ran.wait();
        stop_clock();
        keep(links.finished, {{"finished", links.finished}, {"checksum", links.checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("spawn-chain", argc, argv, {"n"});
    run(measure(parameter("n")));
    end();
}
