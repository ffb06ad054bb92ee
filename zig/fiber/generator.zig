//! A fiber that is resumed by hand hands out one more than it was given last, n times after the first.

const Program = @import("harness").Program;
const scheduler = @import("scheduler.zig");

pub const Params = struct { n: u64 };

/// The switch takes nothing along: both sides see the value.
fn add(program: *Program, n: u64, value: *u64, resumer: *scheduler.Fiber) void {
    for (0..n) |_| {
        scheduler.switchTo(resumer);
        program.event(.run, 0);
        value.* += 1;
    }
    program.event(.done, 0);
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        const nonce = program.nonce();
        var value = nonce;
        const root = scheduler.running();
        const lap = program.lap();
        program.event(.spawn, 0);
        const adder = try scheduler.Running(add).make(.{ program, params.n, &value, root });
        program.event(.spawned, 0);
        adder.fiber.joiner = root; // whom its end resumes
        while (!adder.fiber.ended) scheduler.switchTo(&adder.fiber);
        adder.join();
        try program.record(lap.stop(), value - nonce, .{ .finished = @intFromBool(adder.fiber.ended), .checksum = value });
    }
}
