// A token travels a ring of k parked tasks.
#include "boost-fiber/token.hpp"

int main(int argc, char **argv) {
    begin_program("ring", argc, argv, {"k", "rounds"});
    pass_token(parameter("k"), parameter("rounds"));
    end();
    return 0;
}
