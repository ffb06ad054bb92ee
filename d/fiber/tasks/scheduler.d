/// The library has fibers and leaves what resumes them to others. Here it is the root, on the thread's own stack: those that can go on
/// stand in one line, first come, first served.
module tasks.scheduler;

import core.thread.fiber : Fiber;

/// Thrown out of the wait of a task that is cancelled.
final class Cancelled : Exception
{
    this()
    {
        super("a task is cancelled");
    }
}

/// A task without its result.
abstract class Task
{
    private Fiber fiber;
    private Line joiners;
    // Its neighbours in the line in which it stands.
    private Line* line;
    private Task before, next;
    private bool asked;

    /// Whether its body has ended, and whether by a cancellation.
    bool ended, cancelled;

    private this(void delegate() run)
    {
        fiber = new Fiber(run);
    }
}

/// A task, by which its result is waited for.
final class Joinable(T) : Task
{
    private T delegate() work;
    static if (!is(T == void))
        private T result;

    private this(T delegate() work)
    {
        this.work = work;
        super(&run);
    }

    private void run()
    {
        try
        {
            static if (is(T == void))
                work();
            else
                result = work();
        }
        catch (Cancelled)
        {
            cancelled = true;
        }
    }
}

/// Tasks that wait for the same; each stands in one line at most.
struct Line
{
    private Task first, last;

    bool empty() const
    {
        return first is null;
    }

    /// Waits until somebody has woken this task, which then looks whether it has what it waits for. The root lets another go on.
    void wait()
    {
        if (current is null)
        {
            turn();
            return;
        }
        add(current);
        park();
        if (current.asked)
            throw new Cancelled();
    }

    void wakeOne()
    {
        if (!empty)
            wake(take());
    }

    void wakeAll()
    {
        while (!empty)
            wake(take());
    }

    private void add(Task task)
    {
        task.line = &this;
        task.before = last;
        task.next = null;
        (last ? last.next : first) = task;
        last = task;
    }

    private void remove(Task task)
    {
        (task.before ? task.before.next : first) = task.next;
        (task.next ? task.next.before : last) = task.before;
    }

    private Task take()
    {
        auto task = first;
        remove(task);
        return task;
    }
}

private Line ready;
private Task current;

/// Starts a task, which waits for its turn.
Joinable!T start(T)(T delegate() work)
{
    auto task = new Joinable!T(work);
    wake(task);
    return task;
}

/// What the task returned, when it has ended.
T join(T)(Joinable!T task)
{
    while (!task.ended)
        task.joiners.wait();
    static if (!is(T == void))
        return task.result;
}

/// The task that runs; null in the root.
Task self()
{
    return current;
}

/// Gives the thread away until somebody wakes this task.
alias park = Fiber.yield;

void wake(Task task)
{
    ready.add(task);
}

/// One cooperative yield.
void yield()
{
    wake(current);
    park();
}

/// Ends the wait of a task that stands in a line.
void cancel(Task task)
{
    task.asked = true;
    task.line.remove(task);
    wake(task);
}

/// Asked when no task can go on: wakes some that wait for the kernel, or says that there are none.
bool function() poll = () => false;

/// Gives a turn to each that can go on now. For the root.
void round()
{
    const last = ready.last;
    while (last && turn() !is last)
    {
    }
}

/// Resumes the first in the line, which it returns. What a task throws is thrown here.
private Task turn()
{
    while (ready.empty)
        if (!poll())
            throw new Exception("every task waits for another");
    auto task = current = ready.take();
    task.fiber.call();
    current = null;
    if (task.fiber.state == Fiber.State.TERM)
    {
        // The collector would give the stack back as well, some time after it has run.
        destroy(task.fiber);
        task.ended = true;
        task.joiners.wakeAll();
    }
    return task;
}
