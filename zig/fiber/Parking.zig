//! Where n tasks park, and the process is held before, while and after they live.

const Program = @import("harness").Program;
const scheduler = @import("scheduler.zig");
const tasks = @import("tasks.zig");
const Parking = @This();

parked: u64 = 0,
gate: scheduler.Line = .{},

/// Task i waits until all may go.
pub fn park(parking: *Parking, program: *Program, i: u64) void {
    program.event(.park, i);
    parking.parked += 1;
    defer parking.parked -= 1;
    parking.gate.push(scheduler.running());
    scheduler.park();
}

/// The whole of a memory workload: a task gets its number and where to park, and returns the number.
pub fn measure(program: *Program, n: u64, comptime task: fn (*Program, *Parking, u64) u64) !void {
    try program.hold("base", 0);
    const first = program.nonce();
    var parking: Parking = .{};
    var created: u64 = 0;
    var finished: u64 = 0;
    var checksum: u64 = 0;
    const starting = program.lap();
    const started = try program.gpa.alloc(tasks.Task(task), n);
    for (started, first..) |*one, i| {
        one.* = try tasks.start(program, i, task, .{ program, &parking, i });
        created += 1;
    }
    scheduler.yield(); // all of them wait when the turn comes back
    const parked = starting.stop();
    try program.hold("live", parking.parked);

    const ending = program.lap();
    while (parking.gate.pop()) |one| scheduler.wake(one);
    for (started) |one| {
        checksum += one.join();
        finished += 1;
    }
    program.gpa.free(started);
    const ended = ending.stop();
    try program.hold("released", parking.parked);
    try program.record(parked.plus(ended), finished, .{ .created = created, .finished = finished, .checksum = checksum });
}
