//! All programs in one, which is called with the name of a workload before its arguments.

const std = @import("std");
const builtin = @import("builtin");
const harness = @import("harness");
const Program = harness.Program;
const tasks = @import("tasks.zig");
const startup = @import("startup.zig");

pub const panic = std.debug.FullPanic(Program.panic);

const programs = .{
    .{ "startup", startup },
    .{ "baseline", harness.baseline },
    .{ "spawn", @import("spawn.zig") },
    .{ "spawn-chain", @import("spawn-chain.zig") },
    .{ "tree", @import("tree.zig") },
    .{ "switch", @import("switch.zig") },
    .{ "hand-off", @import("hand-off.zig") },
    .{ "ring", @import("ring.zig") },
    .{ "fan-in", @import("fan-in.zig") },
    .{ "io-switch", @import("io-switch.zig") },
    .{ "memory", @import("memory.zig") },
    .{ "memory-state", @import("memory-state.zig") },
    .{ "timers", @import("timers.zig") },
    .{ "cancel", @import("cancel.zig") },
    .{ "mutex", @import("mutex.zig") },
    .{ "semaphore", @import("semaphore.zig") },
    .{ "channel", @import("channel.zig") },
    .{ "scope", @import("scope.zig") },
    .{ "sleep-zero", @import("sleep-zero.zig") },
    .{ "burst", @import("burst.zig") },
};

pub fn main(init: std.process.Init.Minimal) void {
    if (startup.measured(init.args)) return;
    const gpa = std.heap.smp_allocator;
    const words = init.args.toSlice(gpa) catch @panic("out of memory");
    if (words.len < 2) Program.usage("the name of a workload comes first");

    var threaded: std.Io.Threaded = .init(gpa, .{ .argv0 = .init(init.args), .environ = init.environ });
    const settings = .{
        .optimize = @tagName(builtin.mode),
        .cpu = builtin.cpu.model.name,
        .cpus = std.Thread.getCpuCount() catch |err| std.debug.panic("how many CPUs? {t}", .{err}),
        .stack_kib = threaded.stack_size / 1024,
    };
    inline for (programs) |program| {
        const name, const workload = program;
        if (std.mem.eql(u8, words[1], name)) Program.main(threaded.io(), workload, name, words[2..], init.environ, settings, tasks.unit);
    }
    Program.usage("no workload has this name");
}
