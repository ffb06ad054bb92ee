// Cancels n parked tasks and waits until each has cleaned up.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>

#include "boost-asio/crew.hpp"

// Counts itself when its task ends.
struct clean_up {
    long i, &cleaned_up;
    ~clean_up() {
        cleaned_up++;
        event("done", i);
    }
};

static awaitable<bool> body(long i, long &parked, long &cleaned_up) {
    event("run", i);
    clean_up guard{i, cleaned_up};
    asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    event("park", i);
    parked++;
    co_await never.async_wait(use_awaitable);  // throws when it is cancelled
    co_return true;
}

// Whether a task ran past its wait. What it threw is thrown again here.
static bool ran_past(std::future<bool> &ended) {
    try {
        return ended.get();
    } catch (const boost::system::system_error &error) {
        if (error.code() != asio::error::operation_aborted) throw;
        return false;
    }
}

int main(int argc, char **argv) {
    begin_program("cancel", argc, argv, {"n"});
    long n = parameter("n");
    asio::io_context loop(1);
    hold("base", 0);
    while (wanted()) {
        long parked = 0, cleaned_up = 0, finished = 0;
        std::vector<asio::cancellation_signal> cancellations(static_cast<std::size_t>(n));
        std::vector<std::future<bool>> tasks;
        for (long i = 0; i < n; i++) {
            tasks.push_back(start(loop, i, body(i, parked, cleaned_up),
                                  asio::bind_cancellation_slot(cancellations[i].slot(), asio::use_future)));
        }
        run_to_waits(loop);
        long created = parked;

        start_clock();
        for (asio::cancellation_signal &one : cancellations) one.emit(asio::cancellation_type::terminal);
        run_to_end(loop);
        for (std::future<bool> &one : tasks) {
            if (ran_past(one)) fail("task %ld ran past its wait", finished);
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
