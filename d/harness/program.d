/// One process: its arguments, the lines that it owes the runner, and the loop that times its operation.
module harness.program;

import core.gc.config : config;
import core.memory : GC, pageSize;
import core.sys.posix.time;
import core.thread.fiber : Fiber;
import std.algorithm : map;
import std.array : array, byPair;
import std.compiler : version_major, version_minor;
import std.conv : text, to;
import std.exception : enforce, errnoEnforce;
import std.process : environment;
import std.stdio;
import std.string : strip;

import harness.json;
public import harness.arguments;

private enum ms = 1_000_000, mostIterations = 10_000;
private enum asserts = { version (assert) return true; else return false; }();

/// What an operation did, and what shows it.
struct Outcome
{
    long ops;
    long[string] evidence;
}

/// In nanoseconds.
long clock(clockid_t id = CLOCK_MONOTONIC)
{
    timespec now;
    errnoEnforce(clock_gettime(id, &now) == 0, "clock_gettime");
    return now.tv_sec * 1_000_000_000L + now.tv_nsec;
}

/// User and system time of the process.
private alias cpu = () => clock(CLOCK_PROCESS_CPUTIME_ID);

final class Program
{
    /// Whether a trace was asked for.
    const bool traced;

    private string[string] values;
    private string[] lines, events;
    // An address is given anew once its object is gone, so none of them goes.
    private Object[] seen;
    private long done, startNs, startCpu;

    private this(string[string] values)
    {
        this.values = values;
        traced = this["trace"] == 1;
    }

    long opIndex(string key) const
    {
        return values[key].to!long;
    }

    string word(string key) const
    {
        return values[key];
    }

    /// The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
    long nonce() const
    {
        return this["nonce"] + done;
    }

    /// Records who runs when, where a trace was asked for.
    pragma(inline, true) void record(string kind, long task)
    {
        if (traced)
            append(kind, task);
    }

    private void append(string kind, long task)
    {
        auto fiber = Fiber.getThis();
        seen ~= fiber;
        const unit = fiber ? "fiber-" ~ to!string(cast(size_t) cast(void*) fiber) : "main";
        events ~= jsonList(kind.json, task.json, unit.json);
    }

    /// The time that an iteration took, in nanoseconds.
    long lap(scope Outcome delegate() operation)
    {
        startCpu = cpu();
        startNs = clock();
        auto outcome = operation();
        const elapsed = clock() - startNs;
        const used = cpu() - startCpu;
        const evidence = outcome.evidence.byPair.map!(pair => [pair.key, pair.value.json]).array;
        lines ~= jsonObject(["type", "iteration".json], ["index", done.json], ["elapsed_ns", elapsed.json], ["cpu_ns", used.json],
            ["ops", outcome.ops.json], ["evidence", jsonObject(evidence)]);
        done++;
        return elapsed;
    }

    /// Times the operation until that is enough.
    void repeat(scope Outcome delegate() operation)
    {
        repeat(() => null, (typeof(null)) => operation());
    }

    /// The same; what is prepared before each time, and ended after it, is not timed.
    void repeat(T)(scope T delegate() prepare, scope Outcome delegate(T) operation, void delegate(T) end = null)
    {
        long warm;
        for (bool enough; !enough;)
        {
            auto prepared = prepare();
            const elapsed = lap(() => operation(prepared));
            if (end) end(prepared);
            if (done > 1)
                warm += elapsed;
            enough = traced || done >= mostIterations || done >= this["iterations"] && warm >= this["min_warm_ms"] * ms;
        }
    }

    /// Announces a named point, and waits there until the runner has read the process from outside. That is no time of the
    /// iteration that is under way.
    void hold(string point, long units)
    {
        const cpuBefore = cpu(), before = clock();
        record("hold", -1);
        writeln(jsonObject(["type", "hold".json], ["point", point.json], ["units", units.json]));
        stdout.flush();
        enforce(readln() !is null, "stdin ended at the hold " ~ point ~ ": the runner is gone");
        startNs += clock() - before;
        startCpu += cpu() - cpuBefore;
    }

    /// As it is, and after a forced collection.
    void holdTwice(string point, long units)
    {
        hold(point, units);
        GC.collect();
        hold(point ~ "-collected", units);
    }

    /// Raw samples in nanoseconds, in the order in which they happened.
    void series(string name, const long[] samples)
    {
        lines ~= jsonObject(["type", "series".json], ["name", name.json], ["values", jsonList(samples.map!json.array)]);
    }

    private void hello(string workload, Rule[string] rules)
    {
        // As the library makes a fiber; its guard page is no part of the stack.
        scope fiber = new Fiber({});
        const stack = __traits(getMember, fiber, "m_size") - pageSize;
        string[][] params;
        foreach (key, rule; rules)
            params ~= [key, rule.words ? word(key).json : this[key].json];
        const settings = jsonObject(["flags", import("flags").strip.json], ["asserts", asserts.json],
            ["gc", json(config.disable ? "disabled" : config.gc)], ["stack_kib", json(stack / 1024)]);
        const language = text(version_major, ".", version_minor);
        writeln(jsonObject(["type", "hello".json], ["protocol", "1"], ["runtime", environment["COROBENCH_RUNTIME"].json],
            ["version", language.json], ["language_version", language.json], ["workload", workload.json],
            ["params", jsonObject(params)], ["settings", settings]));
    }

    private void finish()
    {
        foreach (line; lines)
            writeln(line);
        if (traced)
            writeln(jsonObject(["type", "trace".json], ["events", jsonList(events)]));
        writeln(jsonObject(["type", "end".json]));
        stdout.flush();
    }
}

/// Runs a workload to its last line; the status with which the process is to end. What goes wrong but for the command line is thrown.
int run(string[] arguments, string workload, Rule[string] rules, scope void delegate(Program) operate, string[] flags = null)
{
    try
    {
        enforce!Usage("COROBENCH_RUNTIME" in environment, "COROBENCH_RUNTIME is not set");
        auto program = new Program(parse(arguments[1 .. $], rules, flags));
        program.hello(workload, rules);
        operate(program);
        program.finish();
        return 0;
    }
    catch (Usage usage)
    {
        stderr.writeln("usage: ", usage.msg);
        return 2;
    }
}
