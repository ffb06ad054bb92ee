//! Where n tasks park, and the process is held before, while and after they live.

const Io = @import("std").Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");
const Parking = @This();

parked: Latch,
gate: Io.Event = .unset,

/// Task i waits until all may go.
pub fn park(parking: *Parking, program: *Program, i: u64) Io.Cancelable!void {
    program.event(.park, i);
    parking.parked.arrive(program.io);
    defer parking.parked.leave();
    try parking.gate.wait(program.io);
}

/// The whole of a memory workload: a task gets its number and where to park, and returns the number.
pub fn measure(program: *Program, n: u64, comptime task: fn (*Program, *Parking, u64) Io.Cancelable!u64) !void {
    try program.hold("base", 0);
    const first = program.nonce();
    var parking: Parking = .{ .parked = .{ .expected = n } };
    var created: u64 = 0;
    var finished: u64 = 0;
    var checksum: u64 = 0;
    const starting = program.lap();
    const futures = try program.gpa.alloc(Io.Future(Io.Cancelable!u64), n);
    for (futures, first..) |*future, i| {
        future.* = try tasks.start(program, i, task, .{ program, &parking, i });
        created += 1;
    }
    try parking.parked.all(program.io);
    const started = starting.stop();
    try program.hold("live", parking.parked.count());

    const ending = program.lap();
    parking.gate.set(program.io);
    for (futures) |*future| {
        checksum += try future.await(program.io);
        finished += 1;
    }
    program.gpa.free(futures);
    const ended = ending.stop();
    try program.hold("released", parking.parked.count());
    try program.record(started.plus(ended), finished, .{ .created = created, .finished = finished, .checksum = checksum });
}
