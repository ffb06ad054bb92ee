// p producers send m messages each to c consumers, which share one bounded channel.
#include <vector>

#include "coroutine/crew.hpp"

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

// How many messages came, and their sum.
using received = std::pair<long, long>;

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
        long first = nonce(), finished = 0, messages = 0, most = 0, checksum = 0;
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
            auto [count, sum] = co_await one;
            messages += count;
            most = std::max(most, count);
            checksum += sum;
            finished++;
        }
        stop_clock();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"most", most}, {"checksum", checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("channel", argc, argv, {"p", "c", "b", "m"});
    run(measure(parameter("p"), parameter("c"), parameter("b"), parameter("m")));
    end();
}
