// C++20 coroutines as tasks of one thread: those that can go on stand in one line, first in, first out.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace coroutines {

class line;

// A task as the scheduler knows it.
struct strand {
    // Where it goes on: the innermost coroutine that it has suspended.
    std::coroutine_handle<> at;
    long number = 0;
    strand *before = nullptr, *next = nullptr, *joiner = nullptr;
    // Where it can be cancelled.
    line *waits_in = nullptr;
    bool ended = false, detached = false, cancelled = false;
};

// Tasks that stand behind each other; a task stands in one line at most.
class line {
public:
    void put(strand &last) {
        last.before = last_;
        last.next = nullptr;
        (last_ != nullptr ? last_->next : first_) = &last;
        last_ = &last;
    }

    void remove(strand &one) {
        (one.before != nullptr ? one.before->next : first_) = one.next;
        (one.next != nullptr ? one.next->before : last_) = one.before;
    }

    // Null where nobody stands.
    strand *take() {
        strand *first = first_;
        if (first != nullptr) remove(*first);
        return first;
    }

private:
    strand *first_ = nullptr, *last_ = nullptr;
};

extern strand *current;

// A coroutine that no scheduler knows, while it runs; only traces ask for it.
extern std::coroutine_handle<> unscheduled;

void wake(strand &waiting);

// Gives the started task a number and its place in the line of those that can go on.
void enter(strand &started);

// Gives everybody who can go on a turn until this task has ended.
void run_until_ended(const strand &root);

// Suspends the running task; somebody must have kept it for waking it.
inline void leave_at(std::coroutine_handle<> here) { current->at = here; }

template <typename T> struct promise;

// A coroutine that has not been started, then a task that is awaited once, which joins it, or detached.
template <typename T> class [[nodiscard]] task {
public:
    using promise_type = promise<T>;

    explicit task(std::coroutine_handle<promise<T>> frame) : frame_(frame) {}
    task(task &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    task &operator=(task &&other) noexcept {
        std::swap(frame_, other.frame_);
        return *this;
    }
    ~task() {
        if (frame_) frame_.destroy();
    }

    strand &state() const { return frame_.promise(); }

    void detach() && {
        frame_.promise().detached = true;
        frame_ = nullptr;
    }

    bool await_ready() const { return frame_.promise().ended; }
    void await_suspend(std::coroutine_handle<> joiner) {
        frame_.promise().joiner = current;
        leave_at(joiner);
    }
    T await_resume() { return *std::move(frame_.promise().result); }

private:
    std::coroutine_handle<promise<T>> frame_;
};

// Its frame goes with it where nobody is left to join it.
struct at_end {
    bool await_ready() noexcept { return false; }
    template <typename T> void await_suspend(std::coroutine_handle<promise<T>> frame) noexcept {
        strand &self = frame.promise();
        self.ended = true;
        if (self.joiner != nullptr) wake(*self.joiner);
        if (self.detached) frame.destroy();
    }
    void await_resume() noexcept {}
};

template <typename T> struct promise : strand {
    std::optional<T> result;

    task<T> get_return_object() {
        auto frame = std::coroutine_handle<promise>::from_promise(*this);
        at = frame;
        return task<T>(frame);
    }
    std::suspend_always initial_suspend() { return {}; }
    at_end final_suspend() noexcept { return {}; }
    void return_value(T value) { result = std::move(value); }
    void unhandled_exception() { std::terminate(); }
};

// Runs a task, and all that it starts, from outside of any.
template <typename T> T run(task<T> root) {
    wake(root.state());
    run_until_ended(root.state());
    return root.await_resume();
}

// Lets the others run.
struct yield {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> here) {
        leave_at(here);
        wake(*current);
    }
    void await_resume() {}
};

// A gate that is opened once, for all.
class gate {
public:
    struct waiting {
        gate &closed;
        bool await_ready() { return closed.open_; }
        void await_suspend(std::coroutine_handle<> here) {
            leave_at(here);
            current->waits_in = &closed.line_;
            closed.line_.put(*current);
        }
        // False where the task was cancelled.
        bool await_resume() { return !current->cancelled; }
    };

    waiting wait() { return {*this}; }
    void open();

private:
    bool open_ = false;
    line line_;
};

// Ends the wait of a task at a gate.
void cancel(strand &waiting);

// Waits that stand behind each other; a wait is part of its task's frame, and knows the next one.
template <typename Wait> class waits {
public:
    void put(Wait &last) { last_ = (first_ != nullptr ? last_->next : first_) = &last; }

    // Null where nobody waits.
    Wait *take() {
        Wait *first = first_;
        if (first != nullptr) first_ = first->next;
        return first;
    }

private:
    Wait *first_ = nullptr, *last_ = nullptr;
};

// A queue with room for so many values. A sender waits while it is full, a receiver while it is empty.
class channel {
public:
    explicit channel(std::size_t room) : values_(room) {}

    struct sending {
        channel &to;
        long value;
        strand *sender = nullptr;
        sending *next = nullptr;
        bool await_ready() { return to.put(value); }
        void await_suspend(std::coroutine_handle<> here) {
            leave_at(here);
            sender = current;
            to.senders_.put(*this);
        }
        void await_resume() {}
    };

    struct receiving {
        channel &from;
        std::optional<long> value;
        strand *receiver = nullptr;
        receiving *next = nullptr;
        bool await_ready() {
            value = from.take();
            return value || from.closed_;
        }
        void await_suspend(std::coroutine_handle<> here) {
            leave_at(here);
            receiver = current;
            from.receivers_.put(*this);
        }
        // Nothing when it is empty and closed.
        std::optional<long> await_resume() { return value; }
    };

    sending send(long value) { return {*this, value}; }
    receiving receive() { return {*this, {}}; }
    void close();

private:
    bool put(long value);
    std::optional<long> take();

    void keep(long value);

    std::vector<long> values_;
    std::size_t first_ = 0, count_ = 0;
    bool closed_ = false;
    waits<sending> senders_;
    waits<receiving> receivers_;
};

// A place for one value, with one reader. A value that is sent before the last one was received is a failure.
class mailbox {
public:
    struct receiving {
        mailbox &from;
        bool await_ready() { return from.value_.has_value(); }
        void await_suspend(std::coroutine_handle<> here) {
            leave_at(here);
            from.reader_ = current;
        }
        std::optional<long> await_resume() { return std::exchange(from.value_, std::nullopt); }
    };

    std::suspend_never send(long value);
    receiving receive() { return {*this}; }

private:
    std::optional<long> value_;
    strand *reader_ = nullptr;
};

}  // namespace coroutines
