//! A task for each node of a tree: ten children a node, down to n leaves.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { n: u64 };

const children = 10;

/// How many tasks were joined in one, itself included, and the sum of its leaves.
const Part = struct { tasks: u64, sum: u64 };

/// Starts ten tasks for the tenths of a range of leaves.
fn grow(program: *Program, started: *std.atomic.Value(u64), first: u64, leaves: u64) Io.ConcurrentError!Part {
    if (leaves == 1) return .{ .tasks = 1, .sum = first };
    const share = leaves / children;
    var futures: [children]Io.Future(Io.ConcurrentError!Part) = undefined;
    for (&futures, 0..) |*future, i| {
        const number = started.fetchAdd(1, .monotonic);
        future.* = try tasks.start(program, number, grow, .{ program, started, first + i * share, share });
    }
    var part: Part = .{ .tasks = 1, .sum = 0 };
    for (&futures) |*future| {
        const below = try future.await(program.io);
        part.tasks += below.tasks;
        part.sum += below.sum;
    }
    return part;
}

fn isPowerOfTen(n: u64) bool {
    var rest = n;
    while (rest % 10 == 0) rest /= 10;
    return rest == 1;
}

pub fn run(program: *Program, params: Params) !void {
    if (!isPowerOfTen(params.n)) Program.usage("n must be a power of ten");
    while (program.wanted()) {
        var started: std.atomic.Value(u64) = .init(1);
        const lap = program.lap();
        var top = try tasks.start(program, 0, grow, .{ program, &started, program.nonce(), params.n });
        const whole = try top.await(program.io);
        try program.record(lap.stop(), whole.tasks, .{ .finished = whole.tasks, .checksum = whole.sum });
    }
}
