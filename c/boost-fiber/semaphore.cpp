// k tasks want one of s permits, m times each, and give way while they have it.
#include <mutex>

#include "boost-fiber/sections.hpp"

// The library has no semaphore: this is the one that its users write, of its mutex and condition variable.
class semaphore {
public:
    explicit semaphore(long permits) : permits_(permits) {}

    void acquire() {
        std::unique_lock<fibers::mutex> locked(lock_);
        released_.wait(locked, [this] { return permits_ > 0; });
        permits_--;
    }
    void release() {
        {
            std::lock_guard<fibers::mutex> locked(lock_);
            permits_++;
        }
        released_.notify_one();
    }

private:
    long permits_;
    fibers::mutex lock_{};
    fibers::condition_variable released_{};
};

// What the tasks share: the permits, those who have one, and how many were taken.
struct crowd {
    room holders;
    semaphore permits;
    long entered = 0;
};

// Its permits, counted from the nonce on.
static turns take(long i, long m, crowd &shared, arrivals &asking) {
    event("run", i);
    turns own{.taken = nonce()};
    long last = 0;
    for (long turn = 0; turn < m; turn++) {
        event("ask", i);
        if (turn == 0) asking.arrive();
        shared.permits.acquire();
        shared.holders.enter(i);
        long number = ++shared.entered;
        own.passed = std::max(own.passed, number - last - 1);
        give_way(shared.holders);
        last = number;
        shared.holders.leave(i);
        shared.permits.release();
        own.taken++;
    }
    event("done", i);
    return own;
}

int main(int argc, char **argv) {
    begin_program("semaphore", argc, argv, {"k", "s", "m"});
    long k = parameter("k"), s = parameter("s"), m = parameter("m");
    while (wanted()) {
        crowd shared{.holders = {.contended = k > s}, .permits = semaphore(s)};
        arrivals asking{.expected = k};
        std::vector<fibers::future<turns>> tasks;
        for (long permit = 0; permit < s; permit++) shared.permits.acquire();
        for (long i = 0; i < k; i++) tasks.push_back(start(i, take, i, m, std::ref(shared), std::ref(asking)));
        asking.wait();

        all_turns all;
        start_clock();
        for (long permit = 0; permit < s; permit++) shared.permits.release();
        for (fibers::future<turns> &one : tasks) all.add(one.get());
        stop_clock();
        shared.holders.keep_with(all.taken - all.finished * nonce(), all, all.taken);
    }
    end();
    return 0;
}
