//! Planted faults: a task that fails, and one that panics.

const std = @import("std");
const Program = @import("harness").Program;

pub const panic = std.debug.FullPanic(Program.panic);

pub const Params = struct { by: enum { @"error", panic } };

fn fail(params: Params) error{Planted}!void {
    return switch (params.by) {
        .@"error" => error.Planted,
        .panic => @panic("planted"),
    };
}

pub fn run(program: *Program, params: Params) !void {
    const lap = program.lap();
    var future = try program.io.concurrent(fail, .{params});
    try future.await(program.io);
    try program.record(lap.stop(), 1, .{});
}

fn unit(_: std.mem.Allocator) std.mem.Allocator.Error![]const u8 {
    return "main";
}

pub fn main(init: std.process.Init) !void {
    const words = try init.minimal.args.toSlice(init.arena.allocator());
    Program.main(init.io, @This(), "failing", words[1..], init.minimal.environ, .{}, unit);
}
