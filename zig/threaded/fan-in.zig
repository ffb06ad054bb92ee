//! p producers send m messages each to one consumer through one bounded queue.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { p: u64, m: u64 };

const room = 128;

const Queue = Io.Queue(u64);
const Failure = Io.QueueClosedError || Io.Cancelable;

fn produce(io: Io, queue: *Queue, value: u64, m: u64) Failure!void {
    for (0..m) |_| try queue.putOne(io, value);
}

const Received = struct { messages: u64, sum: u64 };

fn consume(io: Io, queue: *Queue, messages: u64) Failure!Received {
    var received: Received = .{ .messages = 0, .sum = 0 };
    while (received.messages < messages) {
        received.sum += try queue.getOne(io);
        received.messages += 1;
    }
    return received;
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    while (program.wanted()) {
        var places: [room]u64 = undefined;
        var queue: Queue = .init(&places);
        var finished: u64 = 0;
        const lap = program.lap();
        const producers = try program.gpa.alloc(Io.Future(Failure!void), params.p);
        for (producers, 0..) |*producer, i| {
            producer.* = try tasks.start(program, i, produce, .{ io, &queue, program.nonce() + i + 1, params.m });
        }
        var consumer = try tasks.start(program, params.p, consume, .{ io, &queue, params.p * params.m });
        for (producers) |*producer| {
            try producer.await(io);
            finished += 1;
        }
        const received = try consumer.await(io);
        finished += 1;
        program.gpa.free(producers);
        try program.record(lap.stop(), received.messages, .{ .finished = finished, .messages = received.messages, .checksum = received.sum });
    }
}
