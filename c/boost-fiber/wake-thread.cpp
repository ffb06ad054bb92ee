// A plain thread and a fiber pass a token to each other: the thread pushes it into a channel, which may be done from any thread.
#include <latch>

#include "boost-fiber/crew.hpp"
#include "harness/plain_thread.hpp"

using channel = fibers::buffered_channel<long>;

// The smallest that there is: one of its two places is always empty.
static constexpr std::size_t room_for_one = 2;

static ended in_task(long i, long m, channel &inbox, blocking_mailbox &answers) {
    long received = 0;
    while (received < m) {
        long token = inbox.value_pop();
        event("run", i);
        received++;
        answers.put(token + 1);
    }
    event("done", i);
    return {received, std::this_thread::get_id()};
}

int main(int argc, char **argv) {
    begin_program("wake-thread", argc, argv, {"m"});
    long m = parameter("m");
    while (wanted()) {
        channel inbox(room_for_one);
        blocking_mailbox answers;
        std::latch waiting(1);
        ended in_thread{};
        event("spawn", 0);
        std::thread thread([&] {
            waiting.count_down();
            in_thread = alternate_in_thread(0, m, answers, [&inbox](long token) { inbox.push(token); });
        });
        event("spawned", 0);
        fibers::future<ended> task = start(1, in_task, 1, m, std::ref(inbox), std::ref(answers));
        boost::this_fiber::yield();  // back here, the task waits
        waiting.wait();

        start_clock();
        answers.put(nonce());
        std::vector<ended> joined{task.get()};
        thread.join();  // it has nothing left to wait for
        joined.push_back(in_thread);
        stop_clock();
        keep_ended(joined, answers.take());
    }
    end();
    return 0;
}
