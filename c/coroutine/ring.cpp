// A token travels a ring of k parked tasks.
#include "coroutine/token.hpp"

using namespace coroutines;

int main(int argc, char **argv) {
    begin_program("ring", argc, argv, {"k", "rounds"});
    run(pass_token(parameter("k"), parameter("rounds")));
    end();
}
