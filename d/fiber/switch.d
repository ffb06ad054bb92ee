/// Starts k tasks that yield m times each.
module switch_;

import tasks.crew;

/// Looks at every resume; without trace=1 or count=1, which are never timed, there is none.
final class Watcher
{
    long switches;
    private long last = -1;
    private Program program;

    this(Program program)
    {
        this.program = program;
    }

    void resumed(long i)
    {
        program.record("run", i);
        switches += i != last;
        last = i;
    }
}

/// How often it was resumed, counted from the nonce on.
long count(long i, long first, long m, Watcher watcher)
{
    long count = first;
    while (count < first + m)
    {
        yield();
        count++;
        if (watcher)
            watcher.resumed(i);
    }
    return count;
}

Joinable!long startOne(Program program, long i, long first, long m, Watcher watcher)
{
    return program.startResuming(i, () => count(i, first, m, watcher));
}

Outcome switchAll(Program program, long k, long m)
{
    const counted = program["count"] == 1;
    const first = program.nonce;
    auto watcher = counted || program.traced ? new Watcher(program) : null;
    Joinable!long[] tasks;
    foreach (i; 0 .. k)
        tasks ~= program.startOne(i, first, m, watcher);
    long finished, checksum;
    foreach (task; tasks)
    {
        checksum += task.join();
        finished++;
    }
    const resumes = checksum - k * first;
    auto evidence = ["finished": finished, "resumes": resumes, "checksum": checksum];
    if (counted)
        evidence["true_switches"] = watcher.switches;
    return Outcome(resumes, evidence);
}

int main(string[] arguments)
{
    return run(arguments, "switch", ["k": atLeast(1), "m": atLeast(1)], (program) {
        program.repeat(() => switchAll(program, program["k"], program["m"]));
    }, ["count"]);
}
