// Cancels n parked tasks and waits until each has cleaned up.
#include "boost-fiber/crowd.hpp"

int main(int argc, char **argv) {
    begin_program("cancel", argc, argv, {"n"});
    long n = parameter("n");
    hold("base", 0);
    while (wanted()) {
        crowd waiting(0, n);
        start_clock();
        waiting.cancel();
        stop_clock();
        keep(waiting.finished(), {{"created", waiting.created()},
                                  {"cancelled", waiting.cleaned_up()},
                                  {"finished", waiting.finished()}});
    }
    hold("released", 0);
    end();
    return 0;
}
