//! Calls a plain function n times and sums what it returns: the language without tasks.

const std = @import("std");
const Program = @import("Program.zig");

pub const Params = struct { n: u64 };

/// Without an effect it would be called once, or not at all.
noinline fn body(i: u64) u64 {
    std.mem.doNotOptimizeAway(i);
    return i;
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var finished: u64 = 0;
        var checksum: u64 = 0;
        const lap = program.lap();
        for (0..params.n) |i| {
            checksum += body(first + i);
            finished += 1;
        }
        try program.record(lap.stop(), finished, .{ .finished = finished, .checksum = checksum });
    }
}
