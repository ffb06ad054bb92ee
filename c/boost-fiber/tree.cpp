// A tree of tasks: each starts ten children, down to n leaves, and sums up their results.
#include "boost-fiber/crew.hpp"

// Tasks joined below a task, and the sum of its leaves.
using outcome = std::pair<long, long>;

static constexpr long children = 10;

static outcome node(long i, long first, long leaves) {
    event("run", i);
    long below = 0, sum = 0;
    if (leaves == 1) {
        sum = first;
    } else {
        std::vector<std::pair<long, fibers::future<outcome>>> tasks;
        for (long c = 0; c < children; c++) {
            long child = task_number(), tenth = leaves / children;
            tasks.emplace_back(child, start(child, node, child, first + c * tenth, tenth));
        }
        for (auto &[child, one] : tasks) {
            auto [further, part] = one.get();
            event("collect", child);
            below += 1 + further;
            sum += part;
        }
    }
    event("done", i);
    return outcome(below, sum);
}

static bool is_power_of_ten(long n) {
    while (n % 10 == 0) n /= 10;
    return n == 1;
}

int main(int argc, char **argv) {
    begin_program("tree", argc, argv, {"n"});
    long n = parameter("n");
    if (!is_power_of_ten(n)) fail("n must be a power of ten");
    while (wanted()) {
        start_clock();
        long top = task_number();
        auto [below, checksum] = start(top, node, top, nonce(), n).get();
        event("collect", top);
        stop_clock();
        keep(1 + below, {{"finished", 1 + below}, {"checksum", checksum}});
    }
    end();
    return 0;
}
