//! p producers send m messages each to c consumers through one queue with room for b.

const Program = @import("harness").Program;
const Queue = @import("Queue.zig");
const tasks = @import("tasks.zig");

pub const Params = struct { p: u64, c: u64, b: u64, m: u64 };

fn produce(program: *Program, i: u64, queue: *Queue, first: u64, m: u64) void {
    for (first..first + m) |message| {
        queue.put(message);
        program.event(.run, i);
    }
}

const Received = struct { messages: u64 = 0, sum: u64 = 0 };

/// What came until the queue was closed.
fn consume(program: *Program, i: u64, queue: *Queue) Received {
    var received: Received = .{};
    while (queue.get()) |message| {
        program.event(.run, i);
        received.messages += 1;
        received.sum += message;
    }
    return received;
}

pub fn run(program: *Program, params: Params) !void {
    const places = try program.gpa.alloc(u64, params.b);
    while (program.wanted()) {
        var queue: Queue = .{ .places = places };
        var finished: u64 = 0;
        var all: Received = .{};
        var most: u64 = 0;
        const lap = program.lap();
        const producers = try program.gpa.alloc(tasks.Task(produce), params.p);
        for (producers, 0..) |*producer, i| {
            producer.* = try tasks.start(program, i, produce, .{ program, i, &queue, program.nonce() + i * params.m, params.m });
        }
        const consumers = try program.gpa.alloc(tasks.Task(consume), params.c);
        for (consumers, params.p..) |*consumer, i| consumer.* = try tasks.start(program, i, consume, .{ program, i, &queue });
        for (producers) |producer| {
            producer.join();
            finished += 1;
        }
        queue.close();
        for (consumers) |consumer| {
            const received = consumer.join();
            finished += 1;
            all.messages += received.messages;
            all.sum += received.sum;
            most = @max(most, received.messages);
        }
        program.gpa.free(producers);
        program.gpa.free(consumers);
        try program.record(lap.stop(), all.messages, .{ .finished = finished, .messages = all.messages, .most = most, .checksum = all.sum });
    }
}
