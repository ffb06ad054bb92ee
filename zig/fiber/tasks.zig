//! How a task is started, and what it is called in a trace.

const std = @import("std");
const Program = @import("harness").Program;
const scheduler = @import("scheduler.zig");

pub fn unit(gpa: std.mem.Allocator) std.mem.Allocator.Error![]const u8 {
    const number = scheduler.running().number;
    return if (number == 0) "main" else std.fmt.allocPrint(gpa, "fiber-{d}", .{number});
}

/// What task i does, between its first event and its last.
fn Body(comptime function: anytype, comptime runs: bool) type {
    return struct {
        fn run(program: *Program, i: u64, arguments: std.meta.ArgsTuple(@TypeOf(function))) @typeInfo(@TypeOf(function)).@"fn".return_type.? {
            if (runs) program.event(.run, i);
            defer program.event(.done, i);
            return @call(.auto, function, arguments);
        }
    };
}

pub fn Task(comptime function: anytype) type {
    return *scheduler.Running(Body(function, true).run);
}

/// A task that records by itself when it runs.
pub fn ResumedTask(comptime function: anytype) type {
    return *scheduler.Running(Body(function, false).run);
}

/// Starts task i.
pub fn start(program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) error{OutOfMemory}!Task(function) {
    program.event(.spawn, i);
    defer program.event(.spawned, i);
    const task = try scheduler.Running(Body(function, true).run).make(.{ program, i, arguments });
    scheduler.wake(&task.fiber);
    return task;
}

/// Starts task i, which records by itself when it runs.
pub fn startResumed(program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) error{OutOfMemory}!ResumedTask(function) {
    program.event(.spawn, i);
    defer program.event(.spawned, i);
    const task = try scheduler.Running(Body(function, false).run).make(.{ program, i, arguments });
    scheduler.wake(&task.fiber);
    return task;
}

/// Starts task i, which nobody joins.
pub fn startDetached(program: *Program, i: u64, comptime function: anytype, arguments: std.meta.ArgsTuple(@TypeOf(function))) error{OutOfMemory}!void {
    const task = try start(program, i, function, arguments);
    task.fiber.detached = true;
}
