// A plain thread and a task pass a token to each other: the thread posts to the loop, which may be done from any thread.
#include <latch>

#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"
#include "harness/plain_thread.hpp"

using channel = asio::experimental::channel<void(error_code, long)>;

static awaitable<ended> in_task(long i, long m, channel &inbox, blocking_mailbox &answers) {
    long received = 0;
    while (received < m) {
        long token = co_await inbox.async_receive(use_awaitable);
        event("run", i);
        received++;
        answers.put(token + 1);
    }
    event("done", i);
    co_return ended{received, std::this_thread::get_id()};
}

int main(int argc, char **argv) {
    begin_program("wake-thread", argc, argv, {"m"});
    long m = parameter("m");
    asio::io_context loop(1);
    while (wanted()) {
        channel inbox(loop, 1);
        blocking_mailbox answers;
        std::latch waiting(1);
        ended in_thread{};
        auto wake = [&loop, &inbox](long token) {
            asio::post(loop, [&inbox, token] {
                if (!inbox.try_send(error_code(), token)) fail("the channel is full");
            });
        };
        event("spawn", 0);
        std::thread thread([&, number = numbered_executor::next_number()] {
            numbered_executor::running = number;
            waiting.count_down();
            in_thread = alternate_in_thread(0, m, answers, wake);
        });
        event("spawned", 0);
        std::future<ended> task = start(loop, 1, in_task(1, m, inbox, answers));
        run_to_waits(loop);
        waiting.wait();

        start_clock();
        answers.put(nonce());
        run_to_end(loop);
        std::vector<ended> joined{task.get()};
        thread.join();  // it has nothing left to wait for
        joined.push_back(in_thread);
        stop_clock();
        keep_ended(joined, answers.take());
    }
    end();
}
