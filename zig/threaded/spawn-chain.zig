//! Each task starts the next as its last act; the root waits for the last one only.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { n: u64 };

const Chain = struct {
    last: u64,
    links: Io.Group = .init,
    ended: Io.Event = .unset,
    finished: u64 = 0,
    checksum: u64 = 0,
};

/// Nothing else of the chain runs meanwhile but the end of the one before.
fn link(program: *Program, chain: *Chain, i: u64) void {
    chain.checksum += i;
    chain.finished += 1;
    if (i == chain.last) {
        chain.ended.set(program.io);
    } else {
        tasks.startIn(&chain.links, program, i + 1, link, .{ program, chain, i + 1 }) catch |err| std.debug.panic("{t}", .{err});
    }
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var chain: Chain = .{ .last = first + params.n - 1 };
        const lap = program.lap();
        try tasks.startIn(&chain.links, program, first, link, .{ program, &chain, first });
        try chain.ended.wait(program.io);
        const took = lap.stop();
        try chain.links.await(program.io);
        try program.record(took, chain.finished, .{ .finished = chain.finished, .checksum = chain.checksum });
    }
}
