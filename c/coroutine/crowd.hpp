// What cancel and cancel-loaded share: a task that waits at a gate that is never opened, until it is cancelled there.
#pragma once

#include "coroutine/crew.hpp"

namespace coroutines {

// Counts itself when its task ends.
struct clean_up {
    long i, &cleaned_up;
    ~clean_up() {
        cleaned_up++;
        event("done", i);
    }
};

// Whether it ran past its wait.
inline task<bool> park(long i, gate &never_opened, arrivals &parked, long &cleaned_up) {
    event("run", i);
    clean_up guard{i, cleaned_up};
    event("park", i);
    parked.arrive();
    co_return co_await never_opened.wait();
}

}  // namespace coroutines
