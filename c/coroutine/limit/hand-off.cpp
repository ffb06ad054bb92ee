// Two tasks pass a token back and forth over two mailboxes, each a place for one value and its one reader.
#include "coroutine/crew.hpp"

using namespace coroutines;

static task<long> play(long i, long m, mailbox &own, mailbox &other, arrivals &waiting) {
    long received = 0;
    waiting.arrive();
    for (long round = 0; round < m; round++) {
        std::optional<long> token = co_await own.receive();
        if (!token) fail("the other player is gone");
        event("run", i);
        received++;
        co_await other.send(*token + 1);
    }
    event("done", i);
    co_return received;
}

static task<bool> hand_off(long m) {
    while (wanted()) {
        mailbox left, right;
        arrivals waiting{.expected = 2};
        task<long> first = start(0, play(0, m, left, right, waiting));
        task<long> second = start(1, play(1, m, right, left, waiting));
        // A player that has not run yet would find the token on its way, and the hand-off would wake nobody.
        co_await waiting.all.wait();

        long finished = 0, messages = 0;
        start_clock();
        co_await left.send(nonce());
        for (task<long> *one : {&first, &second}) {
            messages += co_await *one;
            event("collect", finished);
            finished++;
        }
        stop_clock();
        // The last send: nobody else reads the first player's mailbox now.
        std::optional<long> token = co_await left.receive();
        keep(messages, {{"finished", finished}, {"messages", messages}, {"checksum", token.value()}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    begin_program("hand-off", argc, argv, {"m"});
    run(hand_off(parameter("m")));
    end();
}
