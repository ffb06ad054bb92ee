/// n parked tasks are cancelled, and joined.
module cancel_;

import tasks.crew;
import tasks.crowd;

int main(string[] arguments)
{
    return run(arguments, "cancel", ["n": atLeast(1)], (program) {
        program.hold("base", 0);
        program.repeat(() => new Crowd(program, program["n"]), (Crowd crowd) => crowd.cancelAll());
        program.hold("released", 0);
    });
}
