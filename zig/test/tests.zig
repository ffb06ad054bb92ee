//! The programs as the runner sees them, compiled beside this with all of Zig's own checks.

const std = @import("std");
const json = std.json;
const testing = std.testing;

test {
    _ = @import("arguments.zig");
}

const folder = "../.build/zig/test/";

const Said = struct {
    arena: std.heap.ArenaAllocator,
    status: u8,
    lines: []const json.Value,
    errors: []const u8,

    fn deinit(said: Said) void {
        said.arena.deinit();
    }

    fn line(said: Said, kind: []const u8, index: usize) !json.ObjectMap {
        var seen: usize = 0;
        for (said.lines) |value| {
            if (!std.mem.eql(u8, value.object.get("type").?.string, kind)) continue;
            if (seen == index) return value.object;
            seen += 1;
        }
        return error.NoSuchLine;
    }

    fn count(said: Said, kind: []const u8) usize {
        var seen: usize = 0;
        for (said.lines) |value| {
            if (std.mem.eql(u8, value.object.get("type").?.string, kind)) seen += 1;
        }
        return seen;
    }

    fn evidence(said: Said, index: usize, name: []const u8) !i64 {
        const iteration = try said.line("iteration", index);
        return iteration.get("evidence").?.object.get(name).?.integer;
    }
};

/// What a program says if it is called with these words and then told so much on standard input.
fn call(words: []const u8, input: []const u8) !Said {
    const io = testing.io;
    var said: Said = .{ .arena = .init(testing.allocator), .status = 0, .lines = &.{}, .errors = "" };
    errdefer said.deinit();
    const arena = said.arena.allocator();
    var argv: std.ArrayList([]const u8) = .empty;
    var each = std.mem.tokenizeScalar(u8, words, ' ');
    while (each.next()) |word| try argv.append(arena, word);
    argv.items[0] = try std.mem.concat(arena, u8, &.{ folder, argv.items[0] });

    var environ: std.process.Environ.Map = .init(arena);
    try environ.put("COROBENCH_RUNTIME", "test");
    var child = try std.process.spawn(io, .{ .argv = argv.items, .environ_map = &environ, .stdin = .pipe, .stdout = .pipe, .stderr = .pipe });
    defer child.kill(io);
    child.stdin.?.writeStreamingAll(io, input) catch |err| switch (err) {
        error.BrokenPipe => {}, // it has ended before it read anything
        else => return err,
    };
    child.stdin.?.close(io);
    child.stdin = null;

    const output = try read(child.stdout.?, arena);
    said.errors = try read(child.stderr.?, arena);
    said.status = switch (try child.wait(io)) {
        .exited => |status| status,
        else => return error.Killed,
    };
    var lines: std.ArrayList(json.Value) = .empty;
    var written = std.mem.tokenizeScalar(u8, output, '\n');
    while (written.next()) |line| try lines.append(arena, try json.parseFromSliceLeaky(json.Value, arena, line, .{}));
    said.lines = lines.items;
    return said;
}

fn read(file: std.Io.File, arena: std.mem.Allocator) ![]const u8 {
    var buffer: [4096]u8 = undefined;
    var reader = file.readerStreaming(testing.io, &buffer);
    return reader.interface.allocRemaining(arena, .unlimited);
}

fn expectFailure(words: []const u8, status: u8, errors: []const u8) !void {
    const said = try call(words, "");
    defer said.deinit();
    try testing.expectEqualStrings(errors, said.errors);
    try testing.expectEqual(status, said.status);
    try testing.expectEqual(0, said.count("end"));
}

test "it iterates as often as asked" {
    const said = try call("threads spawn n=10 iterations=7", "");
    defer said.deinit();
    try testing.expectEqual(0, said.status);
    try testing.expectEqual(7, said.count("iteration"));
    for (0..7) |index| try testing.expectEqual(10, try said.evidence(index, "created"));
    try testing.expectEqual(1, said.count("end"));
}

test "it never iterates more than 10,000 times" {
    const said = try call("threads baseline n=1 min_warm_ms=600000", "");
    defer said.deinit();
    try testing.expectEqual(10_000, said.count("iteration"));
}

test "hello repeats the parameters without the keys of the harness" {
    const said = try call("threads switch k=2 m=3 count=1 iterations=2", "");
    defer said.deinit();
    const hello = try said.line("hello", 0);
    try testing.expectEqualStrings("test", hello.get("runtime").?.string);
    try testing.expectEqualStrings("switch", hello.get("workload").?.string);
    const params = hello.get("params").?.object;
    try testing.expectEqual(2, params.count());
    try testing.expectEqual(3, params.get("m").?.integer);
}

test "what a program adds up to contains its nonce, which rises by one" {
    const Case = struct { []const u8, i64, i64 };
    const both = [_]Case{
        .{ "baseline n=10", 10, 45 },
        .{ "spawn n=10", 10, 45 },
        .{ "spawn-chain n=10", 10, 45 },
        .{ "hand-off m=5", 1, 10 },
        .{ "ring k=3 rounds=5", 1, 15 },
        .{ "switch k=3 m=10", 3, 30 },
        .{ "tree n=10", 10, 45 },
        .{ "fan-in p=2 m=5", 10, 15 },
        .{ "channel p=2 c=3 b=4 m=5", 10, 45 },
    };
    for (both) |case| {
        try expectSum("threads", case[0], case[1], case[2]);
        try expectSum("fibers", case[0], case[1], case[2]);
    }
    try expectSum("threads", "mutex k=3 m=5", 1, 15);
    try expectSum("threads", "semaphore k=3 s=2 m=5", 3, 15);
    try expectSum("threads", "scope n=3 m=4", 4, 6);
    try expectSum("threads", "sleep-zero k=3 m=5", 3, 15);
    try expectSum("fibers", "generator n=5", 1, 5);
}

/// The nonce is in the sum so many times, with so much more.
fn expectSum(file: []const u8, words: []const u8, times: i64, more: i64) !void {
    const command = try std.mem.concat(testing.allocator, u8, &.{ file, " ", words, " nonce=1000000 iterations=3" });
    defer testing.allocator.free(command);
    const said = try call(command, "");
    defer said.deinit();
    for (0..3) |index| {
        const nonce = 1_000_000 + @as(i64, @intCast(index));
        try testing.expectEqual(nonce * times + more, try said.evidence(index, "checksum"));
    }
}

test "a trace numbers the tasks from the nonce on and gives each an identity" {
    inline for (.{ "threads spawn n=2", "threads spawn-chain n=2", "fibers spawn n=2", "fibers spawn-chain n=2" }) |words| {
        const said = try call(words ++ " nonce=1000000 trace=1", "");
        defer said.deinit();
        const trace = try said.line("trace", 0);
        var ran: std.ArrayList([]const json.Value) = .empty;
        defer ran.deinit(testing.allocator);
        for (trace.get("events").?.array.items) |event| {
            const parts = event.array.items;
            if (std.mem.eql(u8, parts[0].string, "run")) try ran.append(testing.allocator, parts);
        }
        try testing.expectEqual(2, ran.items.len);
        try testing.expectEqual(2_000_001, ran.items[0][1].integer + ran.items[1][1].integer);
        try testing.expect(!std.mem.eql(u8, ran.items[0][2].string, ran.items[1][2].string));
        for (ran.items) |parts| try testing.expect(!std.mem.eql(u8, "main", parts[2].string));
    }
}

test "it passes a byte to and fro" {
    const said = try call("threads io-switch m=20 iterations=3", "");
    defer said.deinit();
    for (0..3) |index| try testing.expectEqual(40, try said.evidence(index, "messages"));
}

test "it cleans up what it cancels" {
    const said = try call("threads cancel n=10 iterations=3", "\n\n");
    defer said.deinit();
    inline for (.{ "created", "cancelled", "finished" }) |name| {
        for (0..3) |index| try testing.expectEqual(10, try said.evidence(index, name));
    }
}

test "it cancels the siblings of a task that fails" {
    const said = try call("threads scope n=3 m=4", "");
    defer said.deinit();
    const counts = .{ .{ "created", 12 }, .{ "failed", 4 }, .{ "cancelled", 8 }, .{ "cleaned", 8 } };
    inline for (counts) |count| try testing.expectEqual(count[1], try said.evidence(0, count[0]));
}

test "it lets in as many as there are permits" {
    inline for (.{ .{ "mutex k=3 m=5", 1 }, .{ "semaphore k=3 s=2 m=5", 2 } }) |case| {
        const said = try call("threads " ++ case[0], "");
        defer said.deinit();
        try testing.expectEqual(case[1], try said.evidence(0, "most"));
        try testing.expectEqual(15, try said.evidence(0, "yields"));
    }
}

test "it samples each task" {
    const timers = try call("threads timers n=20 lead=5", "");
    defer timers.deinit();
    const lateness = try timers.line("series", 0);
    try testing.expectEqual(20, lateness.get("values").?.array.items.len);
    try testing.expectEqual(0, try timers.evidence(0, "early"));

    const burst = try call("threads burst n=5 bursts=2 idle_ms=1", "");
    defer burst.deinit();
    var last: i64 = 0;
    const starts = (try burst.line("series", 0)).get("values").?.array.items;
    try testing.expectEqual(10, starts.len);
    for (0..2) |i| {
        var latest: i64 = 0;
        for (starts[5 * i ..][0..5]) |start| latest = @max(latest, start.integer);
        last += latest;
    }
    try testing.expectEqual(last, try burst.evidence(0, "last_ns"));
}

test "it holds at every point" {
    inline for (.{ "threads memory", "threads memory-state", "fibers memory", "fibers memory-state" }) |words| {
        try expectHolds(words ++ " n=30 nonce=1000000");
    }
}

fn expectHolds(words: []const u8) !void {
    const said = try call(words, "\n\n\n");
    defer said.deinit();
    const points = [_]struct { []const u8, i64 }{ .{ "base", 0 }, .{ "live", 30 }, .{ "released", 0 } };
    for (points, 0..) |point, index| {
        const hold = try said.line("hold", index);
        try testing.expectEqualStrings(point[0], hold.get("point").?.string);
        try testing.expectEqual(point[1], hold.get("units").?.integer);
    }
    try testing.expectEqual(30_000_435, try said.evidence(0, "checksum"));
}

test "startup says nothing unless it is asked to" {
    inline for (.{ "threads", "fibers" }) |file| inline for (.{ "bare", "first-task" }, 0..) |mode, finished| {
        const quiet = try call(file ++ " startup mode=" ++ mode, "");
        defer quiet.deinit();
        try testing.expectEqual(0, quiet.status);
        try testing.expectEqual(0, quiet.lines.len);
        const said = try call(file ++ " startup mode=" ++ mode ++ " report=1", "");
        defer said.deinit();
        try testing.expectEqual(@as(i64, finished), try said.evidence(0, "finished"));
    };
}

test "it ends with its runner" {
    try expectFailure("threads memory n=30", 1, "stdin ended at the hold base: the runner is gone\nerror: EndOfStream\n");
}

test "it ends with 2 for a wrong command line" {
    try expectFailure("threads spawn", 2, "usage: n is missing\n");
    try expectFailure("threads startup mode=none", 2, "usage: mode=none must be one of bare, first-task\n");
    try expectFailure("threads tree n=20", 2, "usage: n must be a power of ten\n");
    try expectFailure("threads scope n=1 m=1", 2, "usage: n must be at least 2\n");
    try expectFailure("threads none n=1", 2, "usage: no workload has this name\n");
    try expectFailure("fibers none n=1", 2, "usage: no workload has this name\n");
    try expectFailure("threads", 2, "usage: the name of a workload comes first\n");
}

test "it ends with 1 if a task fails or panics" {
    try expectFailure("failing by=error", 1, "error: Planted\n");
    try expectFailure("failing by=panic", 1, "panic: planted\n");
}
