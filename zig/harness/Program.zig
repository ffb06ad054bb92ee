//! One process: its arguments, the lines that it owes the runner, and the clock around its operation.

const std = @import("std");
const builtin = @import("builtin");
const Allocator = std.mem.Allocator;
const Io = std.Io;
const arguments = @import("arguments.zig");
const Program = @This();

const most_iterations = 10_000;

pub const Kind = enum { spawn, spawned, run, park, ask, enter, leave, open, fail, close, hold, done, collect };
const Event = struct { Kind, i64, []const u8 };

io: Io,
gpa: Allocator,
shared: arguments.Shared,
/// The identity of what runs now; it lives as long as the program.
unit: *const fn (Allocator) Allocator.Error![]const u8,
stdout: *Io.Writer,
iterations: u64 = 0,
warm_ns: u64 = 0,
lines: std.ArrayList([]const u8) = .empty,
trace: std.ArrayList(Event) = .empty,
tracing: Io.Mutex = .init,

/// Runs a workload to its last line. What goes wrong is said on standard error: the exit status is 2 for a wrong command line, else 1.
pub fn main(
    io: Io,
    comptime workload: type,
    name: []const u8,
    words: []const [:0]const u8,
    environ: std.process.Environ,
    settings: anytype,
    unit: *const fn (Allocator) Allocator.Error![]const u8,
) noreturn {
    var complaint: [1024]u8 = undefined;
    var writer: Io.Writer = .fixed(&complaint);
    const params, const shared = arguments.parse(workload.Params, words, &writer) catch usage(writer.buffered());
    const runtime = environ.getPosix("COROBENCH_RUNTIME") orelse usage("COROBENCH_RUNTIME is not set");

    var buffer: [64 * 1024]u8 = undefined;
    var stdout = Io.File.stdout().writerStreaming(io, &buffer);
    var program: Program = .{ .io = io, .gpa = std.heap.smp_allocator, .shared = shared, .unit = unit, .stdout = &stdout.interface };
    program.speak(workload, name, runtime, params, settings) catch |err| {
        std.debug.print("error: {t}\n", .{err});
        std.process.exit(1);
    };
    // Nothing is left to wait for, and whoever failed may leave tasks behind.
    std.process.exit(0);
}

pub fn usage(complaint: []const u8) noreturn {
    std.debug.print("usage: {s}\n", .{complaint});
    std.process.exit(2);
}

/// Ends the process with 1, as any error does.
pub fn panic(message: []const u8, _: ?usize) noreturn {
    std.debug.print("panic: {s}\n", .{message});
    std.process.exit(1);
}

fn speak(program: *Program, comptime workload: type, name: []const u8, runtime: []const u8, params: anytype, settings: anytype) !void {
    const version = builtin.zig_version_string;
    try program.say(.{
        .type = "hello",
        .protocol = 1,
        .runtime = runtime,
        .version = version,
        .language_version = version,
        .workload = name,
        .params = Parameters(@TypeOf(params)){ .of = params },
        .settings = settings,
    });
    try workload.run(program, params);
    for (program.lines.items) |line| try program.stdout.print("{s}\n", .{line});
    if (program.shared.trace) try program.say(.{ .type = "trace", .events = program.trace.items });
    try program.say(.{ .type = "end" });
    try program.stdout.flush();
}

fn say(program: *Program, line: anytype) !void {
    try program.stdout.print("{f}\n", .{std.json.fmt(line, .{})});
}

/// The parameters of the spec, without flags.
fn Parameters(comptime Params: type) type {
    return struct {
        of: Params,

        pub fn jsonStringify(parameters: @This(), writer: *std.json.Stringify) !void {
            try writer.beginObject();
            inline for (@typeInfo(Params).@"struct".field_names) |key| {
                const value = @field(parameters.of, key);
                if (@TypeOf(value) != bool) {
                    try writer.objectField(key);
                    try writer.write(value);
                }
            }
            try writer.endObject();
        }
    };
}

/// The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
pub fn nonce(program: *const Program) u64 {
    return program.shared.nonce + program.iterations;
}

/// Whether one more iteration is to be timed.
pub fn wanted(program: *const Program) bool {
    if (program.iterations == 0) return true;
    if (program.shared.trace or program.iterations >= most_iterations) return false;
    return program.iterations < program.shared.iterations or program.warm_ns < program.shared.min_warm_ms * std.time.ns_per_ms;
}

/// What an operation took.
pub const Elapsed = struct {
    elapsed_ns: u64,
    cpu_ns: u64,

    pub fn plus(one: Elapsed, other: Elapsed) Elapsed {
        return .{ .elapsed_ns = one.elapsed_ns + other.elapsed_ns, .cpu_ns = one.cpu_ns + other.cpu_ns };
    }
};

pub const Lap = struct {
    io: Io,
    cpu: Io.Timestamp,
    start: Io.Timestamp,

    pub fn stop(begun: Lap) Elapsed {
        const end = Io.Timestamp.now(begun.io, .awake);
        const cpu = Io.Timestamp.now(begun.io, .cpu_process);
        return .{ .elapsed_ns = between(begun.start, end), .cpu_ns = between(begun.cpu, cpu) };
    }

    fn between(from: Io.Timestamp, to: Io.Timestamp) u64 {
        return @intCast(from.durationTo(to).toNanoseconds());
    }
};

/// Starts the clocks.
pub fn lap(program: *const Program) Lap {
    const cpu = Io.Timestamp.now(program.io, .cpu_process);
    return .{ .io = program.io, .cpu = cpu, .start = Io.Timestamp.now(program.io, .awake) };
}

/// Keeps an iteration until the program ends.
pub fn record(program: *Program, took: Elapsed, ops: u64, evidence: anytype) Allocator.Error!void {
    try program.keep(.{
        .type = "iteration",
        .index = program.iterations,
        .elapsed_ns = took.elapsed_ns,
        .cpu_ns = took.cpu_ns,
        .ops = ops,
        .evidence = evidence,
    });
    if (program.iterations > 0) program.warm_ns += took.elapsed_ns;
    program.iterations += 1;
}

/// Raw samples in nanoseconds, in the order in which they happened.
pub fn series(program: *Program, name: []const u8, values: []const u64) Allocator.Error!void {
    try program.keep(.{ .type = "series", .name = name, .values = values });
}

fn keep(program: *Program, line: anytype) Allocator.Error!void {
    try program.lines.append(program.gpa, try std.json.Stringify.valueAlloc(program.gpa, line, .{}));
}

/// Announces a named point, and waits there until the runner has read the process from outside.
pub fn hold(program: *Program, point: []const u8, units: u64) !void {
    program.event(.hold, -1);
    try program.say(.{ .type = "hold", .point = point, .units = units });
    try program.stdout.flush();
    var byte = [1]u8{0};
    while (byte[0] != '\n') {
        _ = Io.File.stdin().readStreaming(program.io, &.{&byte}) catch |err| switch (err) {
            error.EndOfStream => {
                std.debug.print("stdin ended at the hold {s}: the runner is gone\n", .{point});
                return err;
            },
            else => |other| return other,
        };
    }
}

/// Records who runs when, where a trace was asked for.
pub fn event(program: *Program, kind: Kind, i: anytype) void {
    if (program.shared.trace) program.append(kind, @intCast(i)) catch |err| std.debug.panic("no trace: {t}", .{err});
}

fn append(program: *Program, kind: Kind, i: i64) Allocator.Error!void {
    program.tracing.lockUncancelable(program.io);
    defer program.tracing.unlock(program.io);
    try program.trace.append(program.gpa, .{ kind, i, try program.unit(program.gpa) });
}
