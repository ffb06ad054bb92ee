//! The smallest process, or one task; the harness is left alone unless a report is asked for.

const std = @import("std");
const Program = @import("harness").Program;
const scheduler = @import("scheduler.zig");

pub const Params = struct {
    mode: enum { bare, @"first-task" },
    report: bool = false,
};

fn task() u64 {
    return 1;
}

fn firstTask() !u64 {
    const only = try scheduler.Running(task).make(.{});
    scheduler.wake(&only.fiber);
    return only.join();
}

/// Whether this is what is measured from outside, and has been done.
pub fn measured(args: std.process.Args) bool {
    var words = args.iterate();
    _ = words.skip();
    if (!std.mem.eql(u8, words.next() orelse return false, "startup")) return false;
    const mode = words.next() orelse return false;
    if (words.next() != null) return false;
    if (std.mem.eql(u8, mode, "mode=bare")) return true;
    if (!std.mem.eql(u8, mode, "mode=first-task")) return false;

    const result = firstTask() catch |err| std.debug.panic("{t}", .{err});
    if (result != 1) @panic("the task did not return 1");
    return true;
}

pub fn run(program: *Program, params: Params) !void {
    const lap = program.lap();
    const finished = switch (params.mode) {
        .bare => 0,
        .@"first-task" => try firstTask(),
    };
    try program.record(lap.stop(), 1, .{ .finished = finished });
}
