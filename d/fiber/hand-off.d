/// Two tasks pass a token to and fro, m times each, through channels with room for one.
module hand_off;

import tasks.crew;
import tasks.token;

int main(string[] arguments)
{
    return run(arguments, "hand-off", ["m": atLeast(1)], (program) {
        program.repeat(() => program.prepare(2, program["m"]), (Ring ring) => program.pass(ring));
    });
}
