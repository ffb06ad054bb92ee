//! m scopes, one after the other, of n tasks each, of which one fails.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");

pub const Params = struct { n: u64, m: u64 };

/// An error holds no value; it is left here.
const Scope = struct {
    waiting: Latch,
    never: Io.Event = .unset,
    value: u64,
    failed: ?u64 = null,
    cancelled: std.atomic.Value(u64) = .init(0),
    cleaned: std.atomic.Value(u64) = .init(0),
};

const Failure = error{Failed} || Io.Cancelable;
const Children = Io.Select(union(enum) { child: Failure!void });

/// Waits for what never comes.
fn wait(program: *Program, scope: *Scope) Failure!void {
    defer _ = scope.cleaned.fetchAdd(1, .monotonic);
    scope.waiting.arrive(program.io);
    scope.never.wait(program.io) catch |err| {
        _ = scope.cancelled.fetchAdd(1, .monotonic);
        return err;
    };
}

/// Fails when all of its siblings wait.
fn fail(program: *Program, scope: *Scope, i: u64) Failure!void {
    try scope.waiting.all(program.io);
    program.event(.fail, i);
    scope.failed = scope.value;
    return error.Failed;
}

/// Starts the children; the first that ends is the one that fails, and all have ended when this returns.
fn open(program: *Program, scope: *Scope, room: []Children.Union, first: u64, created: *u64) !void {
    var children: Children = .init(program.io, room);
    defer children.cancelDiscard();
    const last = first + room.len - 1;
    for (first..last + 1) |i| {
        program.event(.spawn, i);
        if (i < last) {
            try children.concurrent(.child, tasks.Body(wait, true).run, .{ program, i, .{ program, scope } });
        } else {
            try children.concurrent(.child, tasks.Body(fail, true).run, .{ program, i, .{ program, scope, i } });
        }
        program.event(.spawned, i);
        created.* += 1;
    }
    switch (try children.await()) {
        .child => |result| try result,
    }
}

pub fn run(program: *Program, params: Params) !void {
    if (params.n < 2) Program.usage("n must be at least 2");
    const room = try program.gpa.alloc(Children.Union, params.n);
    while (program.wanted()) {
        var created: u64 = 0;
        var failed: u64 = 0;
        var cancelled: u64 = 0;
        var cleaned: u64 = 0;
        var checksum: u64 = 0;
        const lap = program.lap();
        for (0..params.m) |i| {
            var scope: Scope = .{ .waiting = .{ .expected = params.n - 1 }, .value = program.nonce() + i };
            program.event(.open, i);
            open(program, &scope, room, i * params.n, &created) catch |err| switch (err) {
                error.Failed => {
                    failed += 1;
                    checksum += scope.failed.?;
                },
                else => return err,
            };
            program.event(.close, i);
            cancelled += scope.cancelled.load(.monotonic);
            cleaned += scope.cleaned.load(.monotonic);
        }
        try program.record(lap.stop(), cleaned + failed, .{ .created = created, .failed = failed, .cancelled = cancelled, .cleaned = cleaned, .checksum = checksum });
    }
}
