/// A task that has slept starts n others at once, and again; each tells when it first ran.
module burst;

import core.time : msecs;
import std.algorithm : max;
import tasks.crew;
import tasks.poller;

final class Bursts
{
    long[] starts;
    private Program program;
    private long next, created, finished, checksum, lastNs;

    this(Program program)
    {
        this.program = program;
        next = program.nonce;
    }

    Outcome run(long n)
    {
        foreach (_; 0 .. program["bursts"])
        {
            sleep(program["idle_ms"].msecs);
            burst(n);
        }
        return Outcome(finished, ["created": created, "finished": finished, "checksum": checksum, "last_ns": lastNs]);
    }

    private void burst(long n)
    {
        Joinable!First[] tasks;
        tasks.reserve(n);
        const began = clock();
        foreach (i; next .. next + n)
            tasks ~= startOne(i, began);
        created += tasks.length;
        next += n;
        long last;
        foreach (task; tasks)
        {
            const first = task.join();
            program.record("collect", first.number);
            checksum += first.number;
            finished++;
            starts ~= first.ns;
            last = max(last, first.ns);
        }
        lastNs += last;
    }

    private Joinable!First startOne(long i, long began)
    {
        return program.start(i, () => First(i, clock() - began));
    }
}

/// The number of a task, and how long it took until it ran.
struct First
{
    long number, ns;
}

int main(string[] arguments)
{
    return run(arguments, "burst", ["n": atLeast(1), "bursts": atLeast(1), "idle_ms": atLeast(0)], (program) {
        auto bursts = new Bursts(program);
        // The root is no fiber, and can't sleep as one.
        program.lap(() => tasks.scheduler.start(() => bursts.run(program["n"])).join());
        program.series("start", bursts.starts);
    });
}
