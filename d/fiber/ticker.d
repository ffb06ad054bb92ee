/// One task wakes on an absolute schedule while k others yield.
module ticker;

import core.time : Duration, nsecs;
import std.algorithm : max;
import tasks.crew;
import tasks.poller;

final class Load
{
    private bool ended;
    private Joinable!long[] tasks;

    /// All of them have begun when it returns.
    this(Program program, long k)
    {
        foreach (i; 0 .. k)
            tasks ~= program.start(i, &keepYielding);
        round();
    }

    /// How often it yielded. The poller is asked when no task can go on, so a yield that lets timers fire is a sleep of zero.
    private long keepYielding()
    {
        long count;
        while (!ended)
        {
            sleep(Duration.zero);
            count++;
        }
        return count;
    }

    /// The yields of each, when all have ended.
    long[] stop()
    {
        ended = true;
        long[] counts;
        foreach (task; tasks)
            counts ~= task.join();
        return counts;
    }
}

/// How late each tick was taken. One that is overdue is taken at once.
long[] tick(long ticks, long period)
{
    long[] lateness;
    lateness.reserve(ticks);
    long due = clock();
    foreach (_; 0 .. ticks)
    {
        due += period;
        const left = due - clock();
        if (left > 0)
            sleep(left.nsecs);
        lateness ~= max(0, clock() - due);
    }
    return lateness;
}

Outcome tickLoaded(Program program, long k, ref long[] lateness)
{
    auto load = new Load(program, k);
    const ticks = program["ticks"], period = program["period_us"] * 1000;
    lateness = program.start(k, () => tick(ticks, period)).join();
    long finished = 1, active, yields;
    foreach (count; load.stop())
    {
        finished++;
        active += count > 0;
        yields += count;
    }
    return Outcome(lateness.length, ["finished": finished, "active": active, "yields": yields]);
}

int main(string[] arguments)
{
    return run(arguments, "ticker", ["k": atLeast(1), "ticks": atLeast(1), "period_us": atLeast(1)], (program) {
        long[] lateness;
        program.lap(() => tickLoaded(program, program["k"], lateness));
        program.series("lateness", lateness);
    });
}
