/// Parks n tasks at one gate and holds the process still before, while and after they live.
module tasks.gate;

import tasks.crew;

final class Gate
{
    private Program program;
    private Line waiting;
    private bool opened;
    private long parked;

    this(Program program)
    {
        this.program = program;
    }

    /// Parks task i until the gate is opened.
    void wait(long i)
    {
        program.record("park", i);
        parked++;
        while (!opened)
            waiting.wait();
        parked--;
    }

    private void open()
    {
        opened = true;
        waiting.wakeAll();
    }
}

alias Body = long function(Gate gate, long i);

private Joinable!long startOne(Gate gate, Body work, long i)
{
    return gate.program.start(i, () => work(gate, i));
}

/// The tasks are gone, handles and all, when it returns what they added up to.
private Outcome live(Gate gate, Body work)
{
    auto program = gate.program;
    const first = program.nonce;
    Joinable!long[] tasks;
    foreach (i; first .. first + program["n"])
        tasks ~= gate.startOne(work, i);
    const long created = tasks.length;
    round();
    program.holdTwice("live", gate.parked);
    gate.open();
    long finished, checksum;
    foreach (task; tasks)
    {
        checksum += task.join();
        finished++;
    }
    return Outcome(finished, ["created": created, "finished": finished, "checksum": checksum]);
}

/// The whole program of a memory workload: a body gets the gate and its number, waits there once, and returns the number.
int measure(string[] arguments, string workload, Body work)
{
    return run(arguments, workload, ["n": atLeast(1)], (program) {
        program.lap({
            program.hold("base", 0);
            auto gate = new Gate(program);
            auto outcome = gate.live(work);
            program.holdTwice("released", gate.parked);
            return outcome;
        });
    });
}
