/// k tasks, each waiting at a channel with room for one, pass a token round.
module ring;

import tasks.crew;
import tasks.token;

int main(string[] arguments)
{
    return run(arguments, "ring", ["k": atLeast(1), "rounds": atLeast(1)], (program) {
        program.repeat(() => program.prepare(program["k"], program["rounds"]), (Ring ring) => program.pass(ring));
    });
}
