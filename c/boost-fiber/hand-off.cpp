// Two tasks pass a token back and forth, over channels that hold one value each: the ring of two.
#include "boost-fiber/token.hpp"

int main(int argc, char **argv) {
    begin_program("hand-off", argc, argv, {"m"});
    pass_token(2, parameter("m"));
    end();
    return 0;
}
