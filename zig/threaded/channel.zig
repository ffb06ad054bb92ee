//! p producers send m messages each to c consumers through one queue with room for b.

const std = @import("std");
const Io = std.Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { p: u64, c: u64, b: u64, m: u64 };

const Queue = Io.Queue(u64);
const Failure = Io.QueueClosedError || Io.Cancelable;

fn produce(program: *Program, i: u64, queue: *Queue, first: u64, m: u64) Failure!void {
    for (first..first + m) |message| {
        try queue.putOne(program.io, message);
        program.event(.run, i);
    }
}

const Received = struct { messages: u64 = 0, sum: u64 = 0 };

/// What came until the queue was closed.
fn consume(program: *Program, i: u64, queue: *Queue) Io.Cancelable!Received {
    var received: Received = .{};
    while (queue.getOne(program.io)) |message| {
        program.event(.run, i);
        received.messages += 1;
        received.sum += message;
    } else |err| switch (err) {
        error.Closed => return received,
        error.Canceled => |canceled| return canceled,
    }
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const places = try program.gpa.alloc(u64, params.b);
    while (program.wanted()) {
        var queue: Queue = .init(places);
        var finished: u64 = 0;
        var all: Received = .{};
        var most: u64 = 0;
        const lap = program.lap();
        const producers = try program.gpa.alloc(Io.Future(Failure!void), params.p);
        for (producers, 0..) |*producer, i| {
            producer.* = try tasks.start(program, i, produce, .{ program, i, &queue, program.nonce() + i * params.m, params.m });
        }
        const consumers = try program.gpa.alloc(Io.Future(Io.Cancelable!Received), params.c);
        for (consumers, params.p..) |*consumer, i| consumer.* = try tasks.start(program, i, consume, .{ program, i, &queue });
        for (producers) |*producer| {
            try producer.await(io);
            finished += 1;
        }
        queue.close(io);
        for (consumers) |*consumer| {
            const received = try consumer.await(io);
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
