//! How a task is started, and what it is called in a trace.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;

/// How many tasks this thread has run, counted for traces.
threadlocal var tasks: u64 = 0;

/// A thread of the pool runs one task after the other: it is its thread and a number that tell who a task is.
pub fn unit(gpa: std.mem.Allocator) std.mem.Allocator.Error![]const u8 {
    const thread = std.Thread.getCurrentId();
    return if (thread == std.os.linux.getpid()) "main" else std.fmt.allocPrint(gpa, "thread-{d}.{d}", .{ thread, tasks });
}

fn Return(comptime function: anytype) type {
    return @typeInfo(@TypeOf(function)).@"fn".return_type.?;
}

/// What task i does, between its first event and its last.
pub fn Body(comptime function: anytype, comptime runs: bool) type {
    return struct {
        pub fn run(program: *Program, i: u64, arguments: std.meta.ArgsTuple(@TypeOf(function))) Return(function) {
            if (program.shared.trace) tasks += 1;
            if (runs) program.event(.run, i);
            defer program.event(.done, i);
            return @call(.auto, function, arguments);
        }
    };
}

/// Starts task i.
pub fn start(program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) Io.ConcurrentError!Io.Future(Return(function)) {
    program.event(.spawn, i);
    defer program.event(.spawned, i);
    return program.io.concurrent(Body(function, true).run, .{ program, i, arguments });
}

/// Starts task i, which records by itself when it runs.
pub fn startResumed(program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) Io.ConcurrentError!Io.Future(Return(function)) {
    program.event(.spawn, i);
    defer program.event(.spawned, i);
    return program.io.concurrent(Body(function, false).run, .{ program, i, arguments });
}

/// Starts task i as one of a group, whose results nobody collects.
pub fn startIn(group: *Io.Group, program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) Io.ConcurrentError!void {
    program.event(.spawn, i);
    defer program.event(.spawned, i);
    return group.concurrent(program.io, Body(function, true).run, .{ program, i, arguments });
}
