/// Starts n tasks, then collects and sums their results.
module spawn;

import tasks.crew;

Joinable!long startOne(Program program, long i)
{
    return program.start(i, () => i);
}

Outcome spawn(Program program, long first, long n)
{
    Joinable!long[] tasks;
    tasks.reserve(n);
    foreach (i; first .. first + n)
        tasks ~= program.startOne(i);
    const long created = tasks.length;
    long finished, checksum;
    foreach (i, task; tasks)
    {
        checksum += task.join();
        program.record("collect", first + i);
        finished++;
    }
    return Outcome(finished, ["created": created, "finished": finished, "checksum": checksum]);
}

int main(string[] arguments)
{
    return run(arguments, "spawn", ["n": atLeast(1)], (program) {
        program.repeat(() => spawn(program, program.nonce, program["n"]));
    });
}
