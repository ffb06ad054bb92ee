/// A planted fault: a task that nobody joins fails while the root waits for another.
module failing;

import tasks.crew;

int main(string[] arguments)
{
    return run(arguments, "failing", null, (program) {
        program.start(0, { throw new Exception("planted"); });
        program.lap(() => Outcome(1, ["finished": program.start(1, () => 1L).join()]));
    });
}
