/// A tree of tasks: each starts ten for the tenths of its range, down to a task for each leaf.
module tree;

import std.conv : text;
import std.exception : enforce;
import tasks.crew;

enum children = 10;

/// How many tasks were joined in one, itself included, and the sum of its leaves.
struct Part
{
    long tasks, sum;
}

final class Tree
{
    private Program program;
    private long started;

    this(Program program)
    {
        this.program = program;
    }

    Joinable!Part grow(long first, long leaves)
    {
        return program.start(started++, () => leaves == 1 ? Part(1, first) : branch(first, leaves / children));
    }

    private Part branch(long first, long share)
    {
        Joinable!Part[children] tasks;
        foreach (i, ref task; tasks)
            task = grow(first + i * share, share);
        auto whole = Part(1, 0);
        foreach (task; tasks)
        {
            const part = task.join();
            whole.tasks += part.tasks;
            whole.sum += part.sum;
        }
        return whole;
    }
}

bool isPowerOfTen(long n)
{
    return n % children ? n == 1 : isPowerOfTen(n / children);
}

int main(string[] arguments)
{
    return run(arguments, "tree", ["n": atLeast(1)], (program) {
        const n = program["n"];
        enforce!Usage(isPowerOfTen(n), text("n=", n, " must be a power of ten"));
        program.repeat({
            const part = new Tree(program).grow(program.nonce, n).join();
            return Outcome(part.tasks, ["finished": part.tasks, "checksum": part.sum]);
        });
    });
}
