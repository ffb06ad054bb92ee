//! k tasks take one of s permits m times each, and give way while they have it.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");

pub const Params = struct { k: u64, s: u64, m: u64 };

/// Several tasks are inside at once.
const Shared = struct {
    permits: Io.Semaphore,
    asked: Latch,
    inside: std.atomic.Value(u64) = .init(0),
    most: std.atomic.Value(u64) = .init(0),
    entered: std.atomic.Value(u64) = .init(0),
    yields: std.atomic.Value(u64) = .init(0),

    /// How many permits had been taken before this one.
    fn visit(shared: *Shared, contended: bool) std.Thread.YieldError!u64 {
        _ = shared.most.fetchMax(shared.inside.fetchAdd(1, .monotonic) + 1, .monotonic);
        const before = shared.entered.fetchAdd(1, .monotonic);
        if (contended) {
            try std.Thread.yield();
            _ = shared.yields.fetchAdd(1, .monotonic);
        }
        _ = shared.inside.fetchSub(1, .monotonic);
        return before;
    }
};

const Failure = Io.Cancelable || std.Thread.YieldError;

/// Its permits, counted from the nonce on, and the most of others between two of its own.
const Taken = struct { count: u64, passed: u64 = 0 };

fn take(program: *Program, i: u64, shared: *Shared, params: Params, nonce: u64) Failure!Taken {
    var taken: Taken = .{ .count = nonce };
    var own: u64 = 0;
    while (taken.count < nonce + params.m) : (taken.count += 1) {
        program.event(.ask, i);
        if (taken.count == nonce) shared.asked.arrive(program.io);
        try shared.permits.wait(program.io);
        defer shared.permits.post(program.io);
        program.event(.enter, i);
        const before = try shared.visit(params.k > params.s);
        taken.passed = @max(taken.passed, before - own);
        own = before + 1;
        program.event(.leave, i);
    }
    return taken;
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const futures = try program.gpa.alloc(Io.Future(Failure!Taken), params.k);
    while (program.wanted()) {
        const nonce = program.nonce();
        var shared: Shared = .{ .permits = .{ .permits = params.s }, .asked = .{ .expected = params.k } };
        for (0..params.s) |_| try shared.permits.wait(io);
        for (futures, 0..) |*future, i| future.* = try tasks.start(program, i, take, .{ program, i, &shared, params, nonce });
        try shared.asked.all(io);

        var checksum: u64 = 0;
        var passed: u64 = 0;
        var finished: u64 = 0;
        const lap = program.lap();
        for (0..params.s) |_| shared.permits.post(io);
        for (futures) |*future| {
            const taken = try future.await(io);
            checksum += taken.count;
            passed = @max(passed, taken.passed);
            finished += 1;
        }
        const took = lap.stop();
        try program.record(took, checksum - finished * nonce, .{
            .finished = finished,
            .most = shared.most.load(.monotonic),
            .yields = shared.yields.load(.monotonic),
            .passed = passed,
            .checksum = checksum,
        });
    }
}
