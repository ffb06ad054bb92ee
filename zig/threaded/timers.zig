//! n tasks sleep once, each until a deadline of its own within one second.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct {
    n: u64,
    lead: u64,

    pub const least = .{ .lead = 0 };
};

const Woken = struct { number: u64, late_ns: i96 };

fn sleep(io: Io, i: u64, deadline: Io.Timestamp) Io.Cancelable!Woken {
    const left = Io.Timestamp.now(io, .awake).durationTo(deadline).toNanoseconds();
    try io.sleep(.fromNanoseconds(@max(0, left)), .awake);
    return .{ .number = i, .late_ns = deadline.durationTo(.now(io, .awake)).toNanoseconds() };
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const lateness = try program.gpa.alloc(u64, params.n);
    var created: u64 = 0;
    var finished: u64 = 0;
    var checksum: u64 = 0;
    var early: u64 = 0;
    const lap = program.lap();
    const start = Io.Timestamp.now(io, .awake).addDuration(.fromMilliseconds(@intCast(params.lead)));
    const futures = try program.gpa.alloc(Io.Future(Io.Cancelable!Woken), params.n);
    for (futures, 0..) |*future, i| {
        const deadline = start.addDuration(.fromNanoseconds(i * std.time.ns_per_s / params.n));
        future.* = try tasks.start(program, i, sleep, .{ io, i, deadline });
        created += 1;
    }
    for (futures, lateness) |*future, *late| {
        const woken = try future.await(io);
        if (woken.late_ns < -std.time.ns_per_ms) early += 1;
        late.* = @intCast(@max(0, woken.late_ns));
        checksum += woken.number;
        finished += 1;
    }
    program.gpa.free(futures);
    try program.record(lap.stop(), finished, .{ .created = created, .finished = finished, .checksum = checksum, .early = early });
    try program.series("lateness", lateness);
}
