// Two tasks pass a token back and forth, over channels that hold one value each: the ring of two.
#include "token.h"

int main(int argc, char **argv) {
    begin("hand-off", argc, argv, (const char *const[]){"m", NULL});
    while (wanted()) pass_token(2, parameter("m"));
    end();
}
