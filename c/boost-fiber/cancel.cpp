// Cancels n parked tasks and waits until each has cleaned up.
#include <mutex>
#include <stop_token>

#include "boost-fiber/crew.hpp"

// Counts itself when its task ends.
struct clean_up {
    long i, &cleaned_up;
    ~clean_up() {
        cleaned_up++;
        event("done", i);
    }
};

// Whether it ran past its wait, other than to end.
static bool body(long i, std::stop_token stop, arrivals &parked, long &cleaned_up) {
    event("run", i);
    clean_up guard{i, cleaned_up};
    fibers::mutex lock;
    fibers::condition_variable stopped;
    std::stop_callback wake(stop, [&stopped] { stopped.notify_one(); });
    event("park", i);
    parked.arrive();
    std::unique_lock<fibers::mutex> locked(lock);
    stopped.wait(locked);
    return !stop.stop_requested();
}

int main(int argc, char **argv) {
    begin_program("cancel", argc, argv, {"n"});
    long n = parameter("n");
    hold("base", 0);
    while (wanted()) {
        arrivals parked{.expected = n};
        long cleaned_up = 0, finished = 0;
        std::vector<std::stop_source> stops(static_cast<std::size_t>(n));
        std::vector<fibers::future<bool>> tasks;
        for (long i = 0; i < n; i++) {
            tasks.push_back(start(i, body, i, stops[i].get_token(), std::ref(parked), std::ref(cleaned_up)));
        }
        long created = static_cast<long>(tasks.size());
        parked.wait();

        start_clock();
        for (std::stop_source &one : stops) one.request_stop();
        for (fibers::future<bool> &one : tasks) {
            if (one.get()) fail("task %ld ran past its wait", finished);
            event("collect", finished);
            finished++;
        }
        tasks.clear();
        stop_clock();
        keep(finished, {{"created", created}, {"cancelled", cleaned_up}, {"finished", finished}});
    }
    hold("released", 0);
    end();
}
