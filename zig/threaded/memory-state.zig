//! Parks n tasks, each eight calls deep with 1 KiB of its own on its stack.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const Parking = @import("Parking.zig");

pub const Params = struct { n: u64 };

const depth = 8;
const size = 1024;
const values = 251;

fn descend(program: *Program, parking: *Parking, i: u64, level: u64) Io.Cancelable!u64 {
    if (level == depth) return @call(.never_inline, carry, .{ program, parking, i });
    const below = try @call(.never_inline, descend, .{ program, parking, i, level + 1 });
    std.mem.doNotOptimizeAway(level); // else this would be a jump, and no call
    return below;
}

fn carry(program: *Program, parking: *Parking, i: u64) Io.Cancelable!u64 {
    var state: [size]u8 = undefined;
    @memset(&state, @intCast(i % values));
    std.mem.doNotOptimizeAway(&state);
    try parking.park(program, i);
    return i - i % values + state[size - 1];
}

fn task(program: *Program, parking: *Parking, i: u64) Io.Cancelable!u64 {
    return descend(program, parking, i, 1);
}

pub fn run(program: *Program, params: Params) !void {
    try Parking.measure(program, params.n, task);
}
