/// Calls a plain function n times and sums what it returns: the language without tasks.
module baseline;

import harness.program;
import ldc.attributes : weak;

/// Neither inlined nor looked into: the linker could take another one.
@weak long body(long i)
{
    return i;
}

Outcome callAll(long first, long n)
{
    long finished, checksum;
    foreach (i; first .. first + n)
    {
        checksum += body(i);
        finished++;
    }
    return Outcome(finished, ["finished": finished, "checksum": checksum]);
}

int main(string[] arguments)
{
    return run(arguments, "baseline", ["n": atLeast(1)], (program) {
        program.repeat(() => callAll(program.nonce, program["n"]));
    });
}
