//! k tasks take one lock m times each.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");

pub const Params = struct { k: u64, m: u64 };

/// What the lock guards. Who is inside gives way between reading the value and writing it: two that are inside at once lose an increment.
const Section = struct {
    inside: u64 = 0,
    most: u64 = 0,
    yields: u64 = 0,
    value: u64,

    /// The value that was found.
    fn visit(section: *Section, contended: bool) std.Thread.YieldError!u64 {
        section.inside += 1;
        section.most = @max(section.most, section.inside);
        const found = section.value;
        if (contended) {
            try std.Thread.yield();
            section.yields += 1;
        }
        section.value = found + 1;
        section.inside -= 1;
        return found;
    }
};

const Shared = struct {
    lock: Io.Mutex = .init,
    asked: Latch,
    section: Section,
};

const Failure = Io.Cancelable || std.Thread.YieldError;

/// Its acquisitions, and the most by others between two of them.
const Taken = struct { acquired: u64 = 0, passed: u64 = 0 };

fn take(program: *Program, i: u64, shared: *Shared, params: Params, nonce: u64) Failure!Taken {
    var taken: Taken = .{};
    var own = nonce;
    while (taken.acquired < params.m) : (taken.acquired += 1) {
        program.event(.ask, i);
        if (taken.acquired == 0) shared.asked.arrive(program.io);
        try shared.lock.lock(program.io);
        defer shared.lock.unlock(program.io);
        program.event(.enter, i);
        const found = try shared.section.visit(params.k > 1);
        taken.passed = @max(taken.passed, found - own);
        own = found + 1;
        program.event(.leave, i);
    }
    return taken;
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const futures = try program.gpa.alloc(Io.Future(Failure!Taken), params.k);
    while (program.wanted()) {
        const nonce = program.nonce();
        var shared: Shared = .{ .asked = .{ .expected = params.k }, .section = .{ .value = nonce } };
        try shared.lock.lock(io);
        for (futures, 0..) |*future, i| future.* = try tasks.start(program, i, take, .{ program, i, &shared, params, nonce });
        try shared.asked.all(io);

        var acquired: u64 = 0;
        var passed: u64 = 0;
        var finished: u64 = 0;
        const lap = program.lap();
        shared.lock.unlock(io);
        for (futures) |*future| {
            const taken = try future.await(io);
            acquired += taken.acquired;
            passed = @max(passed, taken.passed);
            finished += 1;
        }
        const took = lap.stop();
        const section = shared.section;
        try program.record(took, acquired, .{ .finished = finished, .most = section.most, .yields = section.yields, .passed = passed, .checksum = section.value });
    }
}
