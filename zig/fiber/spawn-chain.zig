//! Each task starts the next as its last act; the root waits for the last one only.

const std = @import("std");
const Program = @import("harness").Program;
const scheduler = @import("scheduler.zig");
const tasks = @import("tasks.zig");

pub const Params = struct { n: u64 };

const Chain = struct {
    last: u64,
    root: *scheduler.Fiber,
    finished: u64 = 0,
    checksum: u64 = 0,
};

fn link(program: *Program, chain: *Chain, i: u64) void {
    chain.checksum += i;
    chain.finished += 1;
    if (i == chain.last) {
        scheduler.wake(chain.root);
    } else {
        tasks.startDetached(program, i + 1, link, .{ program, chain, i + 1 }) catch |err| std.debug.panic("{t}", .{err});
    }
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var chain: Chain = .{ .last = first + params.n - 1, .root = scheduler.running() };
        const lap = program.lap();
        try tasks.startDetached(program, first, link, .{ program, &chain, first });
        scheduler.park();
        try program.record(lap.stop(), chain.finished, .{ .finished = chain.finished, .checksum = chain.checksum });
    }
}
