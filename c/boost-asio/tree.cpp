// A tree of tasks: each starts ten children, down to n leaves, and sums up their results.
#include <boost/asio/experimental/channel.hpp>

#include "boost-asio/crew.hpp"

// Tasks joined below a task, and the sum of its leaves.
using outcome = std::pair<long, long>;

// Children's results, each with the child's number.
using channel = asio::experimental::channel<void(std::exception_ptr, long, outcome)>;

static constexpr long children = 10;

static awaitable<outcome> node(asio::io_context &loop, long i, long first, long leaves) {
    co_await asio::post(use_awaitable);  // or it would run on its starter's stack
    event("run", i);
    long below = 0, sum = 0;
    if (leaves == 1) {
        sum = first;
    } else {
        channel results(loop, children);
        for (long c = 0; c < children; c++) {
            long child = task_number(), tenth = leaves / children;
            start(loop, child, node(loop, child, first + c * tenth, tenth),
                  [&results, child](std::exception_ptr error, outcome ended) { results.try_send(error, child, ended); });
        }
        for (long c = 0; c < children; c++) {
            auto [child, ended] = co_await results.async_receive(use_awaitable);
            event("collect", child);
            below += 1 + ended.first;
            sum += ended.second;
        }
    }
    event("done", i);
    co_return outcome(below, sum);
}

static bool is_power_of_ten(long n) {
    while (n % 10 == 0) n /= 10;
    return n == 1;
}

int main(int argc, char **argv) {
    begin_program("tree", argc, argv, {"n"});
    long n = parameter("n");
    if (!is_power_of_ten(n)) fail("n must be a power of ten");
    asio::io_context loop(1);
    while (wanted()) {
        start_clock();
        long top = task_number();
        std::future<outcome> root = start(loop, top, node(loop, top, nonce(), n));
        run_to_end(loop);
        auto [below, checksum] = root.get();
        event("collect", top);
        stop_clock();
        keep(1 + below, {{"finished", 1 + below}, {"checksum", checksum}});
    }
    end();
}
