//! Starts n tasks, then collects and sums their results.

const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { n: u64 };

fn task(i: u64) u64 {
    return i;
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const first = program.nonce();
        var created: u64 = 0;
        var finished: u64 = 0;
        var checksum: u64 = 0;
        const lap = program.lap();
        const started = try program.gpa.alloc(tasks.Task(task), params.n);
        for (started, first..) |*one, i| {
            one.* = try tasks.start(program, i, task, .{i});
            created += 1;
        }
        for (started, first..) |one, i| {
            checksum += one.join();
            program.event(.collect, i);
            finished += 1;
        }
        program.gpa.free(started);
        try program.record(lap.stop(), finished, .{ .created = created, .finished = finished, .checksum = checksum });
    }
}
