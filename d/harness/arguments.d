/// Reads key=value words against rules, and names precisely what is wrong with them.
module harness.arguments;

import std.algorithm : all, canFind, findSplit;
import std.array : join;
import std.ascii : isDigit;
import std.conv : text, to;
import std.exception : basicExceptionCtors, enforce;

/// A wrong command line.
class Usage : Exception
{
    mixin basicExceptionCtors;
}

/// What a key may be.
struct Rule
{
    /// Of an integer, where there are no words.
    long least, most = long.max;
    string[] words;
    /// What it is where it is left out, if it may be.
    string initial;

    private void check(string key, string value) const
    {
        const given = key ~ "=" ~ value;
        if (words.length)
        {
            enforce!Usage(words.canFind(value), given ~ " must be one of " ~ words.join(", "));
            return;
        }
        const whole = value.length && value.length < 19 && value.all!isDigit;
        enforce!Usage(whole && value.to!long >= least, text(given, " must be an integer of at least ", least));
        enforce!Usage(value.to!long <= most, given ~ " must be 0 or 1");
    }
}

Rule atLeast(long least)
{
    return Rule(least);
}

Rule oneOf(string[] words...)
{
    return Rule(0, 0, words.dup);
}

/// The values of all keys; flags are keys that may be left out.
string[string] parse(string[] given, Rule[string] rules, string[] flags = null)
{
    enum any = long.max, flag = Rule(0, 1, null, "0");
    auto known = [
        "iterations": Rule(1, any, null, "1"), "min_warm_ms": Rule(0, any, null, "0"), "nonce": Rule(0, any, null, "0"), "trace": flag,
    ];
    foreach (key; flags)
        known[key] = flag;
    foreach (key, rule; rules)
        known[key] = rule;

    string[string] values;
    foreach (word; given)
    {
        const parts = word.findSplit("=");
        const key = parts[0];
        enforce!Usage(parts, `"` ~ word ~ `" is not key=value`);
        enforce!Usage(key !in values, key ~ " is given twice");
        enforce!Usage(key in known, "unknown key " ~ key);
        known[key].check(key, parts[2]);
        values[key] = parts[2];
    }
    foreach (key, rule; known)
        values.require(key, enforce!Usage(rule.initial, key ~ " is missing"));
    return values;
}
