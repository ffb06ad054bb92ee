// Cancels n parked tasks and waits until each has cleaned up.
#include "crowd.h"

int main(int argc, char **argv) {
    begin("cancel", argc, argv, (const char *const[]){"n", NULL});
    struct crowd crowd;
    crowd_make(&crowd, 0, parameter("n"));
    hold("base", 0);
    while (wanted()) {
        crowd_park(&crowd);
        start_clock();
        crowd_cancel(&crowd);
        stop_clock();
        record(crowd.finished, (struct count[]){{"created", crowd.created},
                                                {"cancelled", atomic_load(&crowd.cleaned_up)},
                                                {"finished", crowd.finished},
                                                {NULL, 0}});
        crowd_leave(&crowd);
    }
    hold("released", 0);
    crowd_free(&crowd);
    end();
}
