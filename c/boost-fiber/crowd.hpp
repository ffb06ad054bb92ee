// What cancel and cancel-loaded share: n parked tasks are cancelled, each by a stop token of its own, and clean up.
#pragma once

#include <mutex>
#include <stop_token>

#include "boost-fiber/crew.hpp"

class crowd {
public:
    // Starts n tasks, numbered from `first` on, and returns when all of them wait.
    crowd(long first, long n) : first_(first), parked_{.expected = n}, stops_(static_cast<std::size_t>(n)) {
        for (long i = 0; i < n; i++) {
            tasks_.push_back(start(first + i, body, first + i, stops_[i].get_token(), std::ref(parked_), std::ref(cleaned_up_)));
        }
        created_ = static_cast<long>(tasks_.size());
        parked_.wait();
    }

    // Requests all before it joins any.
    void cancel() {
        for (std::stop_source &one : stops_) one.request_stop();
        for (fibers::future<bool> &one : tasks_) {
            if (one.get()) fail("task %ld ran past its wait", first_ + finished_);
            event("collect", first_ + finished_);
            finished_++;
        }
        tasks_.clear();
    }

    long created() const { return created_; }
    long cleaned_up() const { return cleaned_up_; }
    long finished() const { return finished_; }

private:
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

    long first_, created_ = 0, cleaned_up_ = 0, finished_ = 0;
    arrivals parked_;
    std::vector<std::stop_source> stops_;
    std::vector<fibers::future<bool>> tasks_;
};
