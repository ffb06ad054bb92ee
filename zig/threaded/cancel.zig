//! n parked tasks are cancelled, and joined.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");

pub const Params = struct { n: u64 };

const Crowd = struct {
    parked: Latch,
    gate: Io.Event = .unset,
    cleaned: std.atomic.Value(u64) = .init(0),
    cancelled: std.atomic.Value(u64) = .init(0),
};

fn park(program: *Program, crowd: *Crowd, i: u64) Io.Cancelable!void {
    defer _ = crowd.cleaned.fetchAdd(1, .monotonic);
    program.event(.park, i);
    crowd.parked.arrive(program.io);
    crowd.gate.wait(program.io) catch |err| {
        _ = crowd.cancelled.fetchAdd(1, .monotonic);
        return err;
    };
    @panic("a task ran past its wait");
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    try program.hold("base", 0);
    while (program.wanted()) {
        var crowd: Crowd = .{ .parked = .{ .expected = params.n } };
        var group: Io.Group = .init;
        for (0..params.n) |i| try tasks.startIn(&group, program, i, park, .{ program, &crowd, i });
        try crowd.parked.all(io);
        try std.Thread.yield(); // those that only gave way go on
        const waited = params.n - crowd.cleaned.load(.monotonic);

        const lap = program.lap();
        group.cancel(io);
        const took = lap.stop();
        const finished = crowd.cancelled.load(.monotonic);
        try program.record(took, finished, .{ .created = waited, .cancelled = crowd.cleaned.load(.monotonic), .finished = finished });
    }
    try program.hold("released", 0);
}
