//! The smallest process, or one task; the harness is left alone unless a report is asked for.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;

pub const Params = struct {
    mode: enum { bare, @"first-task" },
    report: bool = false,
};

fn task() u64 {
    return 1;
}

fn firstTask(io: Io) !u64 {
    var future = try io.concurrent(task, .{});
    return future.await(io);
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

    var threaded: Io.Threaded = .init(std.heap.smp_allocator, .{});
    defer threaded.deinit();
    const result = firstTask(threaded.io()) catch |err| std.debug.panic("{t}", .{err});
    if (result != 1) @panic("the task did not return 1");
    return true;
}

pub fn run(program: *Program, params: Params) !void {
    const lap = program.lap();
    const finished = switch (params.mode) {
        .bare => 0,
        .@"first-task" => try firstTask(program.io),
    };
    try program.record(lap.stop(), 1, .{ .finished = finished });
}
