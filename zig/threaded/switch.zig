//! k tasks yield m times each.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { k: u64, m: u64, count: bool = false };

/// Looks at every resume, where a trace or a count is asked for: neither is ever timed.
const Watcher = struct {
    mutex: Io.Mutex = .init,
    last: ?u64 = null,
    switches: u64 = 0,

    fn resumed(watcher: *Watcher, program: *Program, i: u64) void {
        program.event(.run, i);
        watcher.mutex.lockUncancelable(program.io);
        defer watcher.mutex.unlock(program.io);
        if (watcher.last != i) watcher.switches += 1;
        watcher.last = i;
    }
};

/// How often it was resumed, counted from the nonce on.
fn task(program: *Program, i: u64, first: u64, m: u64, watcher: ?*Watcher) std.Thread.YieldError!u64 {
    var count = first;
    while (count < first + m) : (count += 1) {
        try std.Thread.yield();
        if (watcher) |looking| looking.resumed(program, i);
    }
    return count;
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var watching: Watcher = .{};
        const watcher = if (params.count or program.shared.trace) &watching else null;
        var finished: u64 = 0;
        var checksum: u64 = 0;
        const lap = program.lap();
        const futures = try program.gpa.alloc(Io.Future(std.Thread.YieldError!u64), params.k);
        for (futures, 0..) |*future, i| future.* = try tasks.startResumed(program, i, task, .{ program, i, first, params.m, watcher });
        for (futures) |*future| {
            checksum += try future.await(program.io);
            finished += 1;
        }
        program.gpa.free(futures);
        const took = lap.stop();
        const resumes = checksum - finished * first;
        if (params.count) {
            try program.record(took, resumes, .{ .finished = finished, .resumes = resumes, .checksum = checksum, .true_switches = watching.switches });
        } else {
            try program.record(took, resumes, .{ .finished = finished, .resumes = resumes, .checksum = checksum });
        }
    }
}
