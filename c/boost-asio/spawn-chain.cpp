// Starts a task that starts the next as its last act, n in all.
#include "boost-asio/crew.hpp"

struct chain {
    asio::io_context &loop;
    long end, finished = 0, checksum = 0;
};

// Nobody collects from a task: what it throws goes on out of the loop.
static constexpr auto pass_on = [](std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
};

static awaitable<void> body(long i, chain &links) {
    co_await asio::post(use_awaitable);  // or it would run on its starter's stack
    event("run", i);
    links.checksum += i;
    links.finished++;
    if (i + 1 < links.end) start(links.loop, i + 1, body(i + 1, links), pass_on);
    event("done", i);
}

int main(int argc, char **argv) {
    begin_program("spawn-chain", argc, argv, {"n"});
    long n = parameter("n");
    asio::io_context loop(1);
    while (wanted()) {
        long first = nonce();
        chain links{.loop = loop, .end = first + n};
        start_clock();
        start(loop, first, body(first, links), pass_on);
        run_to_end(loop);  // ends when the last one has, for then nothing is left to do
        stop_clock();
        keep(links.finished, {{"finished", links.finished}, {"checksum", links.checksum}});
    }
    end();
}
