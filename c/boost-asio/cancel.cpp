// Cancels n parked tasks and waits until each has cleaned up.
#include "boost-asio/crowd.hpp"

int main(int argc, char **argv) {
    begin_program("cancel", argc, argv, {"n"});
    long n = parameter("n");
    asio::io_context loop(1);
    hold("base", 0);
    while (wanted()) {
        crowd waiting(loop, 0, n);
        run_to_waits(loop);
        long created = waiting.parked;

        start_clock();
        waiting.request();
        run_to_end(loop);
        waiting.join();
        stop_clock();
        keep(waiting.finished, {{"created", created}, {"cancelled", waiting.cleaned_up}, {"finished", waiting.finished}});
    }
    hold("released", 0);
    end();
}
