// p producers send m messages each to one consumer, over a channel that holds 128.
#include <vector>

#include "coroutine/crew.hpp"

using namespace coroutines;

static task<bool> produce(long i, long value, long m, channel &outbox) {
    event("run", i);
    for (long sent = 0; sent < m; sent++) co_await outbox.send(value);
    event("done", i);
    co_return true;
}

// How many messages came, and their sum.
using received = std::pair<long, long>;

static task<received> consume(long i, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    while (std::optional<long> message = co_await inbox.receive()) {
        messages++;
        checksum += *message;
    }
    event("done", i);
    co_return received(messages, checksum);
}

static task<bool> measure(long p, long m) {
    while (wanted()) {
        long first = nonce() + 1, finished = 0;
        channel between(128);
        start_clock();
        std::vector<task<bool>> producers;
        for (long i = 0; i < p; i++) producers.push_back(start(i, produce(i, first + i, m, between)));
        task<received> consumer = start(p, consume(p, between));
        for (task<bool> &one : producers) {
            co_await one;
            event("collect", finished);
            finished++;
        }
        between.close();
        auto [messages, checksum] = co_await consumer;
        event("collect", finished);
        finished++;
        stop_clock();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("fan-in", argc, argv, {"p", "m"});
    run(measure(parameter("p"), parameter("m")));
    end();
}
