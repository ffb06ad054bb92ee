/// The harness, and the programs as processes, which lie in PROGRAMS.
module harness_test;

import std.algorithm : canFind, equal, filter, map, startsWith;
import std.array : array, join, replicate;
import std.exception : collectExceptionMsg;
import std.json : JSONValue, parseJSON;
import std.process : environment, pipeProcess, Redirect, wait;
import std.range : iota;
import std.string : lineSplitter, split;
import std.typecons : Yes;

import harness.arguments;

string[string] parsed(string words)
{
    return parse(words.split, ["n": atLeast(1), "phase": oneOf("base", "spawn")], ["count"]);
}

/// How a program ended, and what it said.
struct Said
{
    int status;
    string output, errors;

    JSONValue[] lines(string type) const
    {
        return output.lineSplitter.map!(line => line.parseJSON).filter!(line => line["type"].str == type).array;
    }

    long[] evidence(string name) const
    {
        return lines("iteration").map!(line => line["evidence"][name].integer).array;
    }
}

Said program(string words, string input = "")
{
    const given = words.split;
    auto pipes = pipeProcess(environment["PROGRAMS"] ~ "/" ~ given[0] ~ given[1 .. $], Redirect.all, ["COROBENCH_RUNTIME": "test"]);
    pipes.stdin.write(input);
    pipes.stdin.close();
    const output = pipes.stdout.byLineCopy(Yes.keepTerminator).join;
    const errors = pipes.stderr.byLineCopy(Yes.keepTerminator).join;
    return Said(wait(pipes.pid), output, errors);
}

@("arguments: values and defaults")
unittest
{
    assert(parsed("phase=spawn n=7") == [
        "phase": "spawn", "n": "7", "iterations": "1", "min_warm_ms": "0", "trace": "0", "nonce": "0", "count": "0",
    ]);
    assert(parsed("n=7 phase=base count=1")["count"] == "1");
}

@("arguments: wrong command lines are refused")
unittest
{
    foreach (words, message; [
        "nonce=-1": "nonce=-1 must be an integer of at least 0",
        "phase=base": "n is missing",
        "n": `"n" is not key=value`,
        "n=1 n=2": "n is given twice",
        "m=1": "unknown key m",
        "n=": "n= must be an integer of at least 1",
        "n=0": "n=0 must be an integer of at least 1",
        "n=1.5": "n=1.5 must be an integer of at least 1",
        "n=9999999999999999999": "n=9999999999999999999 must be an integer of at least 1",
        "trace=2": "trace=2 must be 0 or 1",
        "phase=x": "phase=x must be one of base, spawn",
    ])
        assert(collectExceptionMsg!Usage(parsed(words)) == message, words);
}

@("a program iterates as often as asked, and never more than 10,000 times")
unittest
{
    assert(program("spawn n=10 iterations=7").evidence("created") == [10, 10, 10, 10, 10, 10, 10]);
    assert(program("baseline n=1 min_warm_ms=600000").lines("iteration").length == 10_000);
}

@("results contain the nonce, which rises by one with each iteration")
unittest
{
    enum first = 1_000_000;
    // What the checksum has of the nonce, and what beside it.
    foreach (words, parts; [
        "baseline n=10": [10, 45],
        "spawn n=10": [10, 45],
        "spawn-chain n=10": [10, 45],
        "tree n=10": [10, 45],
        "fan-in p=2 m=5": [10, 15],
        "channel p=2 c=3 b=4 m=5": [10, 45],
        "hand-off m=5": [1, 10],
        "ring k=3 rounds=5": [1, 15],
        "switch k=3 m=10": [3, 30],
        "generator n=5": [1, 5],
        "sleep-zero k=3 m=5": [3, 15],
    ])
        assert(program(words ~ " nonce=1000000 iterations=3").evidence("checksum").equal(
            iota(3).map!(i => parts[0] * (first + i) + parts[1])), words);
}

@("tasks are numbered from the nonce on, in a trace as well")
unittest
{
    foreach (name, first; ["spawn": 1_000_000, "spawn-chain": 1_000_000, "tree": 0])
    {
        auto events = program(name ~ " n=1 nonce=1000000 trace=1").lines("trace")[0]["events"].array;
        assert(events.filter!(event => event[0].str == "run").front[1].integer == first, name);
    }
}

@("a channel shares out all messages")
unittest
{
    const said = program("channel p=1 c=1 b=4 m=50");
    assert(said.evidence("finished") == [2] && said.evidence("messages") == [50] && said.evidence("most") == [50]);
}

@("a task that is cancelled cleans up, and is joined")
unittest
{
    const said = program("cancel n=10 iterations=3", "\n\n");
    foreach (name; ["created", "cancelled", "finished"])
        assert(said.evidence(name) == [10, 10, 10], name);
    const loaded = program("cancel-loaded n=10 k=3 iterations=3");
    foreach (name, count; ["created": 10, "cancelled": 10, "finished": 10, "active": 3])
        assert(loaded.evidence(name) == [count, count, count], name);
}

@("a byte goes to and fro")
unittest
{
    assert(program("io-switch m=20 iterations=3").evidence("messages") == [40, 40, 40]);
}

@("samples are in a series of their own")
unittest
{
    foreach (words, count; ["timers n=5 lead=1": 5, "ticker k=3 ticks=7 period_us=1000": 7])
    {
        const said = program(words);
        assert(said.lines("series")[0]["values"].array.length == count, words);
    }
    const said = program("burst n=5 bursts=2 idle_ms=1 nonce=1000000");
    assert(said.lines("series")[0]["values"].array.length == 10 && said.evidence("checksum") == [10_000_045]);
}

@("memory holds at every point, and ends with its runner")
unittest
{
    const said = program("memory-state n=30 nonce=1000000", "\n".replicate(5));
    assert(said.lines("hold").map!(line => line["units"].integer).equal([0, 30, 30, 0, 0]));
    assert(said.evidence("checksum") == [30_000_435]);
    const alone = program("memory n=30");
    assert(alone.status == 1 && alone.errors.canFind("stdin ended at the hold base"));
}

@("a start says nothing unless asked")
unittest
{
    foreach (mode; ["bare", "first-task"])
        assert(program("startup mode=" ~ mode) == Said(0));
}

@("a wrong command line ends with 2")
unittest
{
    assert(program("spawn") == Said(2, "", "usage: n is missing\n"));
    assert(program("tree n=20").status == 2);
}

@("a task that fails ends with 1")
unittest
{
    const said = program("failing");
    assert(said.status == 1 && said.errors.canFind("planted") && !said.lines("end").length);
}
