// p producers send m messages each to one consumer, over a channel of 128 places.
#include "boost-fiber/crew.hpp"

using channel = fibers::buffered_channel<long>;

static bool produce(long i, long value, long m, channel &outbox) {
    event("run", i);
    for (long sent = 0; sent < m; sent++) outbox.push(value);
    event("done", i);
    return true;
}

// How many messages came, and their sum.
using received = std::pair<long, long>;

static received consume(long i, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    for (long message : inbox) {
        messages++;
        checksum += message;
    }
    event("done", i);
    return received(messages, checksum);
}

int main(int argc, char **argv) {
    begin_program("fan-in", argc, argv, {"p", "m"});
    long p = parameter("p"), m = parameter("m");
    while (wanted()) {
        long first = nonce() + 1, finished = 0;
        channel between(128);
        start_clock();
        std::vector<fibers::future<bool>> producers;
        for (long i = 0; i < p; i++) producers.push_back(start(i, produce, i, first + i, m, std::ref(between)));
        fibers::future<received> consumer = start(p, consume, p, std::ref(between));
        for (fibers::future<bool> &one : producers) {
            one.get();
            event("collect", finished);
            finished++;
        }
        between.close();
        auto [messages, checksum] = consumer.get();
        event("collect", finished);
        finished++;
        stop_clock();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", checksum}});
    }
    end();
    return 0;
}
