// p producers send m messages each to c consumers, which share one bounded channel.
#include <vector>

#include "coroutine/crew.hpp"
#include "harness/received.hpp"

using namespace coroutines;

static task<bool> produce(long i, long first, long m, channel &outbox) {
    event("run", i);
    for (long message = first; message < first + m; message++) {
        co_await outbox.send(message);
        event("run", i);
    }
    event("done", i);
    co_return true;
}

static task<received> consume(long i, channel &inbox) {
    event("run", i);
    long messages = 0, checksum = 0;
    while (std::optional<long> message = co_await inbox.receive()) {
        event("run", i);
        messages++;
        checksum += *message;
    }
    event("done", i);
    co_return received(messages, checksum);
}

static task<bool> measure(long p, long c, long b, long m) {
    while (wanted()) {
        long first = nonce(), finished = 0;
        all_received all;
        start_clock();
        channel between(static_cast<std::size_t>(b));
        std::vector<task<bool>> producers;
        std::vector<task<received>> consumers;
        for (long i = 0; i < p; i++) producers.push_back(start(i, produce(i, first + i * m, m, between)));
        for (long i = p; i < p + c; i++) consumers.push_back(start(i, consume(i, between)));
        for (task<bool> &one : producers) {
            co_await one;
            finished++;
        }
        between.close();
        for (task<received> &one : consumers) {
            all.add(co_await one);
            finished++;
        }
        stop_clock();
        all.keep_with(finished);
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("channel", argc, argv, {"p", "c", "b", "m"});
    run(measure(parameter("p"), parameter("c"), parameter("b"), parameter("m")));
    end();
}
