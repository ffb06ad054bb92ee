// A token travels a ring of k parked tasks.
#include "token.h"

int main(int argc, char **argv) {
    begin("ring", argc, argv, (const char *const[]){"k", "rounds", NULL});
    while (wanted()) pass_token(parameter("k"), parameter("rounds"));
    end();
}
