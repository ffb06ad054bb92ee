// p producers send m messages each to c consumers, which share one bounded channel.
#include <bit>

#include "boost-fiber/crew.hpp"
#include "harness/received.hpp"

using channel = fibers::buffered_channel<long>;

// A capacity is a power of two, of which one place is always empty: the largest that has no more room than was asked for.
static std::size_t capacity(long room) { return std::bit_floor(static_cast<std::size_t>(room) + 1); }

static bool produce(long i, long first, long m, channel &outbox) {
    event("run", i);
    for (long message = first; message < first + m; message++) {
        outbox.push(message);
        event("run", i);
    }
    event("done", i);
    return true;
}

static received consume(long i, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    for (long message : inbox) {
        event("run", i);
        messages++;
        checksum += message;
    }
    event("done", i);
    return received(messages, checksum);
}

int main(int argc, char **argv) {
    begin_program("channel", argc, argv, {"p", "c", "b", "m"});
    long p = parameter("p"), c = parameter("c"), m = parameter("m");
    std::size_t room = capacity(parameter("b"));
    while (wanted()) {
        long first = nonce(), finished = 0;
        all_received all;
        start_clock();
        channel between(room);
        std::vector<fibers::future<bool>> producers;
        std::vector<fibers::future<received>> consumers;
        for (long i = 0; i < p; i++) producers.push_back(start(i, produce, i, first + i * m, m, std::ref(between)));
        for (long i = p; i < p + c; i++) consumers.push_back(start(i, consume, i, std::ref(between)));
        for (fibers::future<bool> &one : producers) {
            one.get();
            finished++;
        }
        between.close();
        for (fibers::future<received> &one : consumers) {
            all.add(one.get());
            finished++;
        }
        stop_clock();
        all.keep_with(finished);
    }
    end();
    return 0;
}
