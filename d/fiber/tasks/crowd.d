/// n parked tasks are cancelled, clean up and are joined.
module tasks.crowd;

import tasks.crew;

final class Crowd
{
    private Program program;
    private long first, cleaned;
    private Joinable!void[] tasks;
    // Nobody ever opens it.
    private Line gate;

    /// They are numbered from `first` on, and wait when it returns.
    this(Program program, long n, long first = 0)
    {
        this.program = program;
        this.first = first;
        foreach (i; first .. first + n)
            tasks ~= startOne(i);
        // After one turn they wait, and in another one those that only gave way go on.
        round();
        round();
    }

    private Joinable!void startOne(long i)
    {
        return program.start(i, { park(i); });
    }

    private void park(long i)
    {
        scope (exit)
            cleaned++;
        program.record("park", i);
        gate.wait();
        throw new Exception("a task ran past its wait");
    }

    Outcome cancelAll()
    {
        const waited = tasks.length - cleaned;
        long finished;
        foreach (task; tasks)
            task.cancel();
        foreach (i, task; tasks)
        {
            task.join();
            program.record("collect", first + i);
            finished += task.cancelled;
        }
        return Outcome(finished, ["created": waited, "cancelled": cleaned, "finished": finished]);
    }
}
