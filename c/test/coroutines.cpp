// What the scheduler of coroutines promises: turns, joins, gates, channels, cancellation.
#include <vector>

#include "coroutine/crew.hpp"
#include "coroutine/generator.hpp"
#include "coroutine/polling.hpp"
#include "test/check.h"

using namespace coroutines;

static task<long> turns(long i, std::vector<long> &order) {
    for (int turn = 0; turn < 2; turn++) {
        order.push_back(i);
        co_await yield{};
    }
    co_return i;
}

static task<long> take_turns(std::vector<long> &order) {
    std::vector<task<long>> tasks;
    for (long i = 0; i < 3; i++) tasks.push_back(start(i, turns(i, order)));
    long sum = 0;
    for (task<long> &one : tasks) sum += co_await one;
    co_return sum;
}

static task<bool> send_ten(channel &to) {
    for (long i = 0; i < 10; i++) co_await to.send(i);
    to.close();
    co_return true;
}

static task<std::vector<long>> receive_all(std::size_t room) {
    channel narrow(room);
    task<bool> sender = start(0, send_ten(narrow));
    std::vector<long> values;
    while (std::optional<long> value = co_await narrow.receive()) values.push_back(*value);
    co_await sender;
    co_return values;
}

static task<bool> send_seven(mailbox &to) {
    co_await to.send(7);
    co_return true;
}

// What comes while it waits, and what lies there before.
static task<long> receive_both() {
    mailbox box;
    task<bool> sender = start(0, send_seven(box));
    std::optional<long> first = co_await box.receive();
    co_await sender;
    co_await box.send(8);
    std::optional<long> second = co_await box.receive();
    co_return 10 * first.value() + second.value();
}

struct clean_up {
    bool &done;
    ~clean_up() { done = true; }
};

static task<bool> wait_there(gate &here, gate &closed, bool &cleaned_up) {
    clean_up guard{cleaned_up};
    here.open();
    co_return co_await closed.wait();
}

// Whether the task passed the gate.
static task<bool> pass(bool cancelled, bool &cleaned_up) {
    gate here, closed;
    task<bool> waiting = start(0, wait_there(here, closed, cleaned_up));
    co_await here.wait();
    CHECK(!cleaned_up);
    if (cancelled) {
        cancel(waiting.state());
    } else {
        closed.open();
    }
    co_return co_await waiting;
}

static task<bool> sleep_there(long seconds, std::vector<long> &woken) {
    co_await sleep_for{seconds * 1'000'000'000};
    woken.push_back(seconds);
    co_return true;
}

// Times that are past already, so that nobody waits for them.
static task<bool> sleep_all(std::vector<long> &woken) {
    std::vector<task<bool>> tasks;
    for (long seconds : {-10, -50, -20, -60, -40, -30}) tasks.push_back(start(seconds, sleep_there(seconds, woken)));
    for (task<bool> &one : tasks) co_await one;
    co_return true;
}

static generator doubler() {
    long sent = co_yield 7;
    sent = co_yield 2 * sent;
    co_return 10 * sent;
}

static void a_generator_answers_what_it_was_sent() {
    generator one = doubler();
    CHECK(one.resume(1) == 7);
    CHECK(one.resume(2) == 4);
    CHECK(!one.ended());
    CHECK(one.resume(3) == 30);
    CHECK(one.ended());
}

int main() {
    a_generator_answers_what_it_was_sent();
    std::vector<long> order;
    CHECK(run(take_turns(order)) == 3);
    CHECK((order == std::vector<long>{0, 1, 2, 0, 1, 2}));
    const std::vector<long> ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    CHECK(run(receive_all(1)) == ten);
    CHECK(run(receive_all(3)) == ten);
    CHECK(run(receive_both()) == 78);
    for (bool cancelled : {false, true}) {
        bool cleaned_up = false;
        CHECK(run(pass(cancelled, cleaned_up)) == !cancelled);
        CHECK(cleaned_up);
    }
    std::vector<long> woken;
    CHECK(run(sleep_all(woken)));
    CHECK((woken == std::vector<long>{-60, -50, -40, -30, -20, -10}));
    return checks_end("coroutines");
}
