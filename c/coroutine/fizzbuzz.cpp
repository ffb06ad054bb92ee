// n tasks take m steps of fizzbuzz each: as plain calls (base), without waiting (spawn), or with a yield after each (yield).
#include <vector>

#include "coroutine/crew.hpp"
#include "harness/fizzbuzz.h"

using namespace coroutines;

enum { BASE, SPAWN, YIELD };

// How many steps a task took, and what they were worth.
using outcome = std::pair<long, long>;

struct tally {
    long finished = 0, steps = 0, checksum = 0;

    void add(outcome ended) {
        finished++;
        steps += ended.first;
        checksum += ended.second;
    }
};

// A function that the compiler can't see through: inlined, the phase without tasks would be a loop.
static __attribute__((noipa)) outcome play(long i, long m) {
    long steps = 0, sum = 0;
    for (; steps < m; steps++) sum += fizzbuzz_step(i, steps);
    return outcome(steps, sum);
}

static task<outcome> playing(long i, long m) {
    event("run", i);
    outcome played = play(i, m);
    event("done", i);
    co_return played;
}

static task<outcome> yielding(long i, long m) {
    event("run", i);
    long steps = 0, sum = 0;
    for (; steps < m; steps++) {
        sum += fizzbuzz_step(i, steps);
        co_await yield{};
    }
    event("done", i);
    co_return outcome(steps, sum);
}

static task<bool> measure(int phase, long n, long m) {
    while (wanted()) {
        tally all;
        start_clock();
        if (phase == BASE) {
            for (long i = 0; i < n; i++) all.add(play(i, m));
        } else {
            std::vector<task<outcome>> tasks;
            for (long i = 0; i < n; i++) tasks.push_back(start(i, phase == SPAWN ? playing(i, m) : yielding(i, m)));
            for (task<outcome> &one : tasks) {
                outcome ended = co_await one;
                event("collect", all.finished);
                all.add(ended);
            }
        }
        stop_clock();
        keep(all.finished, {{"finished", all.finished}, {"steps", all.steps}, {"checksum", all.checksum}});
    }
    co_return true;
}

int main(int argc, char **argv) {
    const char *const phases[] = {"base", "spawn", "yield", nullptr}, *const numbers[] = {"n", "m", nullptr};
    int phase = begin_with_word("fizzbuzz", argc, argv, "phase", phases, numbers);
    run(measure(phase, parameter("n"), parameter("m")));
    end();
}
