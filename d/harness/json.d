/// Writes JSON. The library's own (std.json) takes the compiler longer than all of a program.
module harness.json;

import std.array : join, replace;
import std.conv : to;

string json(string text)
{
    return `"` ~ text.replace(`\`, `\\`).replace(`"`, `\"`) ~ `"`;
}

string json(T)(T value) if (is(T : long))
{
    return value.to!string;
}

/// The values, and those of the members, are JSON.
string jsonList(const string[] values...)
{
    return "[" ~ values.join(",") ~ "]";
}

string jsonObject(const string[][] members...)
{
    string[] texts;
    foreach (member; members)
        texts ~= member[0].json ~ ":" ~ member[1];
    return "{" ~ texts.join(",") ~ "}";
}
