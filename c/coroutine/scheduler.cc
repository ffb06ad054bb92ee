// The turns of the tasks, and those who wait for each other.
#include "coroutine/scheduler.hpp"

#include "harness/harness.h"
#include "poller/poller.h"

namespace coroutines {

strand *current;
std::coroutine_handle<> unscheduled;

static line ready;
static long entered;

void wake(strand &waiting) { ready.put(waiting); }

void enter(strand &started) {
    started.number = ++entered;
    wake(started);
}

static void wake_polled(void *waiting) { wake(*static_cast<strand *>(waiting)); }

// Apart, so that nothing of it stands in the way of a turn.
[[gnu::cold, gnu::noinline]] static strand *take_polled() {
    strand *next;
    while ((next = ready.take()) == nullptr) {
        if (!poller_wait(wake_polled)) fail("every task waits for another");
    }
    return next;
}

void run_until_ended(const strand &root) {
    while (!root.ended) {
        current = ready.take();
        if (current == nullptr) current = take_polled();
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
    if (receiving *first = receivers_.take()) {
        first->value = value;
        wake(*first->receiver);
        return true;
    }
    if (count_ == values_.size()) return false;
    keep(value);
    return true;
}

void channel::keep(long value) {
    std::size_t last = first_ + count_++;
    values_[last < values_.size() ? last : last - values_.size()] = value;
}

std::optional<long> channel::take() {
    if (count_ == 0) return {};
    long value = values_[first_];
    if (++first_ == values_.size()) first_ = 0;
    count_--;
    if (sending *first = senders_.take()) {
        keep(first->value);
        wake(*first->sender);
    }
    return value;
}

void channel::close() {
    closed_ = true;
    while (receiving *one = receivers_.take()) wake(*one->receiver);
}

std::suspend_never mailbox::send(long value) {
    if (value_) fail("a value lies in the mailbox already");
    value_ = value;
    if (strand *reader = std::exchange(reader_, nullptr)) wake(*reader);
    return {};
}

}  // namespace coroutines

extern "C" long runtime_identity() {
    // A frame stays where it is.
    if (coroutines::unscheduled) return reinterpret_cast<long>(coroutines::unscheduled.address());
    return coroutines::current == nullptr ? 0 : coroutines::current->number;
}

extern "C" const char *runtime_settings() { return "{\"threads\":1}"; }
