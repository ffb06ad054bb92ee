//! k tasks sleep m times each for no time at all.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { k: u64, m: u64 };

/// How often it woke, counted from the nonce on.
fn task(program: *Program, i: u64, first: u64, m: u64) Io.Cancelable!u64 {
    var count = first;
    while (count < first + m) : (count += 1) {
        try program.io.sleep(.zero, .awake);
        program.event(.run, i);
    }
    return count;
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var finished: u64 = 0;
        var checksum: u64 = 0;
        const lap = program.lap();
        const futures = try program.gpa.alloc(Io.Future(Io.Cancelable!u64), params.k);
        for (futures, 0..) |*future, i| future.* = try tasks.startResumed(program, i, task, .{ program, i, first, params.m });
        for (futures) |*future| {
            checksum += try future.await(program.io);
            finished += 1;
        }
        program.gpa.free(futures);
        try program.record(lap.stop(), checksum - finished * first, .{ .finished = finished, .checksum = checksum });
    }
}
