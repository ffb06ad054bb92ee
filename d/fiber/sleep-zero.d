/// k tasks sleep m times each for no time at all.
module sleep_zero;

import core.time : Duration;
import tasks.crew;
import tasks.poller;

/// How often it woke, counted from the nonce on.
Joinable!long startOne(Program program, long i, long first, long m)
{
    return program.startResuming(i, {
        long count = first;
        while (count < first + m)
        {
            sleep(Duration.zero);
            count++;
            program.record("run", i);
        }
        return count;
    });
}

Outcome sleepAll(Program program, long k, long m)
{
    const first = program.nonce;
    Joinable!long[] tasks;
    foreach (i; 0 .. k)
        tasks ~= program.startOne(i, first, m);
    long finished, checksum;
    foreach (task; tasks)
    {
        checksum += task.join();
        finished++;
    }
    return Outcome(checksum - finished * first, ["finished": finished, "checksum": checksum]);
}

int main(string[] arguments)
{
    return run(arguments, "sleep-zero", ["k": atLeast(1), "m": atLeast(1)], (program) {
        program.repeat(() => sleepAll(program, program["k"], program["m"]));
    });
}
