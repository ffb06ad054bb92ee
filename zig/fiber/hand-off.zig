//! Two tasks pass a token to and fro, m times each, through queues with room for one.

const Program = @import("harness").Program;
const pass = @import("ring.zig").pass;

pub const Params = struct { m: u64 };

pub fn run(program: *Program, params: Params) !void {
    try pass(program, 2, params.m);
}
