/// n tasks sleep once, each until a deadline of its own within one second.
module timers;

import core.time : nsecs;
import std.algorithm : max;
import tasks.crew;
import tasks.poller;

enum ms = 1_000_000, spread = 1_000_000_000;

/// The number of a task, and how late it woke.
struct Woken
{
    long number, late;
}

Joinable!Woken startOne(Program program, long i, long deadline)
{
    return program.start(i, {
        sleep(max(0, deadline - clock()).nsecs);
        return Woken(i, clock() - deadline);
    });
}

Outcome sleepAll(Program program, long n, ref long[] lateness)
{
    const start = clock() + program["lead"] * ms;
    Joinable!Woken[] tasks;
    foreach (i; 0 .. n)
        tasks ~= program.startOne(i, start + i * spread / n);
    const long created = tasks.length;
    long finished, checksum, early;
    foreach (task; tasks)
    {
        const woken = task.join();
        early += woken.late < -ms;
        lateness ~= max(0, woken.late);
        checksum += woken.number;
        finished++;
    }
    return Outcome(finished, ["created": created, "finished": finished, "checksum": checksum, "early": early]);
}

int main(string[] arguments)
{
    return run(arguments, "timers", ["n": atLeast(1), "lead": atLeast(0)], (program) {
        long[] lateness;
        program.lap(() => sleepAll(program, program["n"], lateness));
        program.series("lateness", lateness);
    });
}
