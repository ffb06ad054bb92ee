/// n parked tasks are cancelled, and joined, while k others yield.
module cancel_loaded;

import tasks.crew;
import tasks.crowd;

/// Tasks 0 .. k-1, which do nothing but yield until they are told to end.
final class Load
{
    /// Those that have yielded and not ended.
    long active;
    private bool ended;
    private Joinable!void[] tasks;

    this(Program program, long k)
    {
        foreach (i; 0 .. k)
            tasks ~= program.start(i, &keepYielding);
    }

    private void keepYielding()
    {
        yield();
        active++;
        while (!ended)
            yield();
        active--;
    }

    void stop()
    {
        ended = true;
        foreach (task; tasks)
            task.join();
    }
}

struct Both
{
    Load load;
    Crowd crowd;
}

Outcome cancelLoaded(Both both)
{
    auto outcome = both.crowd.cancelAll();
    outcome.evidence["active"] = both.load.active;
    return outcome;
}

int main(string[] arguments)
{
    return run(arguments, "cancel-loaded", ["n": atLeast(1), "k": atLeast(1)], (program) {
        const n = program["n"], k = program["k"];
        program.repeat(() => Both(new Load(program, k), new Crowd(program, n, k)), (Both both) => cancelLoaded(both),
            (Both both) => both.load.stop());
    });
}
