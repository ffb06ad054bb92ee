// Starts a task that starts the next as its last act, n in all.
#include "boost-fiber/crew.hpp"

struct chain {
    long end, finished = 0, checksum = 0;
    fibers::promise<void> last_ran{};
};

static void start_next(long i, chain &links);

static void body(long i, chain &links) {
    event("run", i);
    links.checksum += i;
    links.finished++;
    if (i + 1 < links.end) {
        start_next(i + 1, links);
    } else {
        links.last_ran.set_value();
    }
    event("done", i);
}

static void start_next(long i, chain &links) {
    event("spawn", i);
    fibers::fiber(body, i, std::ref(links)).detach();
    event("spawned", i);
}

int main(int argc, char **argv) {
    begin_program("spawn-chain", argc, argv, {"n"});
    long n = parameter("n");
    while (wanted()) {
        long first = nonce();
        chain links{.end = first + n};
        start_clock();
        start_next(first, links);
        links.last_ran.get_future().wait();
        stop_clock();
        keep(links.finished, {{"finished", links.finished}, {"checksum", links.checksum}});
    }
    end();
    return 0;
}
