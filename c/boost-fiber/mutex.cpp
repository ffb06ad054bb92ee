// k tasks want one mutex, m times each, and give way while they hold it.
#include <mutex>

#include "boost-fiber/sections.hpp"

// What the mutex guards. A task gives way between reading the value and leaving it one greater: two that are inside at once
// lose an increment.
struct section {
    room guarded;
    long value;
    fibers::mutex lock{};
};

static turns take(long i, long m, section &shared, arrivals &asking) {
    event("run", i);
    turns own;
    long last = nonce();
    for (; own.taken < m; own.taken++) {
        event("ask", i);
        if (own.taken == 0) asking.arrive();
        std::unique_lock<fibers::mutex> locked(shared.lock);
        shared.guarded.enter(i);
        long value = shared.value;
        own.passed = std::max(own.passed, value - last);
        give_way(shared.guarded);
        last = shared.value = value + 1;
        shared.guarded.leave(i);
    }
    event("done", i);
    return own;
}

int main(int argc, char **argv) {
    begin_program("mutex", argc, argv, {"k", "m"});
    long k = parameter("k"), m = parameter("m");
    while (wanted()) {
        section shared{.guarded = {.contended = k > 1}, .value = nonce()};
        arrivals asking{.expected = k};
        std::vector<fibers::future<turns>> tasks;
        shared.lock.lock();
        for (long i = 0; i < k; i++) tasks.push_back(start(i, take, i, m, std::ref(shared), std::ref(asking)));
        asking.wait();

        all_turns all;
        start_clock();
        shared.lock.unlock();
        for (fibers::future<turns> &one : tasks) all.add(one.get());
        stop_clock();
        shared.guarded.keep_with(all.taken, all, shared.value);
    }
    end();
    return 0;
}
