// Two tasks pass a token back and forth, over channels that hold one value each or, where the variant says so, mailboxes.
#include "coroutine/token.hpp"

using namespace coroutines;

int main(int argc, char **argv) {
    begin_program("hand-off", argc, argv, {"m"});
    long m = parameter("m");
    run(over_mailboxes() ? pass_token<mailbox>(2, m) : pass_by_channels(2, m));
    end();
}
