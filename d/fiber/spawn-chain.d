/// Each task starts the next as its last act; the root waits for the last one only.
module spawn_chain;

import tasks.crew;

final class Chain
{
    private Program program;
    private long end, finished, checksum;
    private Line root;

    this(Program program, long end)
    {
        this.program = program;
        this.end = end;
    }

    void link(long i)
    {
        program.start(i, {
            checksum += i;
            finished++;
            if (i + 1 < end)
                link(i + 1);
            else
                root.wakeAll();
        });
    }

    Outcome run(long first)
    {
        link(first);
        while (first + finished < end)
            root.wait();
        return Outcome(finished, ["finished": finished, "checksum": checksum]);
    }
}

int main(string[] arguments)
{
    return run(arguments, "spawn-chain", ["n": atLeast(1)], (program) {
        program.repeat(() => new Chain(program, program.nonce + program["n"]).run(program.nonce));
    });
}
