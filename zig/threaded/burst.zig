//! A root that has slept starts n tasks at once, and again; each tells when it first ran.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct {
    n: u64,
    bursts: u64,
    idle_ms: u64,

    pub const least = .{ .idle_ms = 0 };
};

const Ran = struct { number: u64, after_ns: u64 };

fn task(io: Io, i: u64, began: Io.Timestamp) Ran {
    return .{ .number = i, .after_ns = @intCast(began.untilNow(io, .awake).toNanoseconds()) };
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const starts = try program.gpa.alloc(u64, params.n * params.bursts);
    var number = program.nonce();
    var created: u64 = 0;
    var finished: u64 = 0;
    var checksum: u64 = 0;
    var last_ns: u64 = 0;
    const lap = program.lap();
    for (0..params.bursts) |_| {
        try io.sleep(.fromMilliseconds(@intCast(params.idle_ms)), .awake);
        var last: u64 = 0;
        const began: Io.Timestamp = .now(io, .awake);
        const futures = try program.gpa.alloc(Io.Future(Ran), params.n);
        for (futures) |*future| {
            future.* = try tasks.start(program, number, task, .{ io, number, began });
            number += 1;
            created += 1;
        }
        for (futures) |*future| {
            const ran = future.await(io);
            program.event(.collect, ran.number);
            starts[finished] = ran.after_ns;
            last = @max(last, ran.after_ns);
            checksum += ran.number;
            finished += 1;
        }
        program.gpa.free(futures);
        last_ns += last;
    }
    try program.record(lap.stop(), finished, .{ .created = created, .finished = finished, .checksum = checksum, .last_ns = last_ns });
    try program.series("start", starts);
}
