//! p producers send m messages each to one consumer through one bounded queue.

const Program = @import("harness").Program;
const Queue = @import("Queue.zig");
const tasks = @import("tasks.zig");

pub const Params = struct { p: u64, m: u64 };

const room = 128;

fn produce(queue: *Queue, value: u64, m: u64) void {
    for (0..m) |_| queue.put(value);
}

const Received = struct { messages: u64, sum: u64 };

fn consume(queue: *Queue, messages: u64) Received {
    var received: Received = .{ .messages = 0, .sum = 0 };
    while (received.messages < messages) {
        received.sum += queue.get().?;
        received.messages += 1;
    }
    return received;
}

pub fn run(program: *Program, params: Params) !void {
    while (program.wanted()) {
        var places: [room]u64 = undefined;
        var queue: Queue = .{ .places = &places };
        var finished: u64 = 0;
        const lap = program.lap();
        const producers = try program.gpa.alloc(tasks.Task(produce), params.p);
        for (producers, 0..) |*producer, i| {
            producer.* = try tasks.start(program, i, produce, .{ &queue, program.nonce() + i + 1, params.m });
        }
        const consumer = try tasks.start(program, params.p, consume, .{ &queue, params.p * params.m });
        for (producers) |producer| {
            producer.join();
            finished += 1;
        }
        const received = consumer.join();
        finished += 1;
        program.gpa.free(producers);
        try program.record(lap.stop(), received.messages, .{ .finished = finished, .messages = received.messages, .checksum = received.sum });
    }
}
