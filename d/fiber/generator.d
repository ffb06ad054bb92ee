/// Resumes one fiber n times by hand: no scheduler comes in between.
module generator;

import core.thread.fiber : Fiber;
import harness.program;

/// Adds one to what lies in `value` at each resume after the first; to call a fiber passes nothing.
final class Adder : Fiber
{
    long value;
    private long n;
    private Program program;

    this(Program program, long n)
    {
        super(&add);
        this.program = program;
        this.n = n;
        value = program.nonce;
    }

    private void add()
    {
        foreach (_; 0 .. n)
        {
            Fiber.yield();
            program.record("run", 0);
            value++;
        }
        program.record("done", 0);
    }
}

Outcome perform(Program program)
{
    program.record("spawn", 0);
    auto adder = new Adder(program, program["n"]);
    program.record("spawned", 0);
    scope (exit)
        destroy(adder);
    while (adder.state != Fiber.State.TERM)
        adder.call();
    const finished = adder.state == Fiber.State.TERM;
    return Outcome(adder.value - program.nonce, ["finished": finished, "checksum": adder.value]);
}

int main(string[] arguments)
{
    return run(arguments, "generator", ["n": atLeast(1)], (program) {
        program.repeat(() => perform(program));
    });
}
