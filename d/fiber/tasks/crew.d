/// Starting tasks that have numbers, and what a trace tells of them.
module tasks.crew;

public import harness.program;
public import tasks.scheduler;

/// Starts task i.
Joinable!T start(T)(Program program, long i, T delegate() work)
{
    if (!program.traced)
        return tasks.scheduler.start(work);
    return program.startResuming(i, { program.record("run", i); return work(); });
}

/// The same for a task that records by itself when it is resumed.
Joinable!T startResuming(T)(Program program, long i, T delegate() work)
{
    if (!program.traced)
        return tasks.scheduler.start(work);
    program.record("spawn", i);
    scope (exit)
        program.record("spawned", i);
    return tasks.scheduler.start({
        scope (exit)
            program.record("done", i);
        return work();
    });
}
