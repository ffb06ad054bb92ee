// The turns of the tasks, and those who wait for each other.
#include "coroutine/scheduler.hpp"

#include "harness/harness.h"

namespace coroutines {

strand *current;

static line ready;
static long entered;

void wake(strand &waiting) { ready.put(waiting); }

void enter(strand &started) {
    started.number = ++entered;
    wake(started);
}

void run_until_ended(const strand &root) {
    while (!root.ended) {
        current = ready.take();
        if (current == nullptr) fail("every task waits for another");
        current->at.resume();
    }
    current = nullptr;
}

void gate::open() {
    open_ = true;
    while (strand *one = line_.take()) {
        one->waits_in = nullptr;
        wake(*one);
    }
}

void cancel(strand &waiting) {
    if (waiting.waits_in == nullptr) fail("task %ld is cancelled where it does not wait", waiting.number);
    std::exchange(waiting.waits_in, nullptr)->remove(waiting);
    waiting.cancelled = true;
    wake(waiting);
}

bool channel::put(long value) {
    if (!receivers_.empty()) {
        receiving &first = *receivers_.front();
        receivers_.pop_front();
        first.value = value;
        wake(*first.receiver);
        return true;
    }
    if (values_.size() == room_) return false;
    values_.push_back(value);
    return true;
}

std::optional<long> channel::take() {
    if (values_.empty()) return {};
    long value = values_.front();
    values_.pop_front();
    if (!senders_.empty()) {
        sending &first = *senders_.front();
        senders_.pop_front();
        values_.push_back(first.value);
        wake(*first.sender);
    }
    return value;
}

void channel::close() {
    closed_ = true;
    for (receiving *one : receivers_) wake(*one->receiver);
    receivers_.clear();
}

}  // namespace coroutines

extern "C" long runtime_identity() { return coroutines::current == nullptr ? 0 : coroutines::current->number; }

extern "C" const char *runtime_settings() { return "{\"threads\":1}"; }
