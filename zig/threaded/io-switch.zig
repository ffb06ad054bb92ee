//! Two tasks pass a byte to and fro over a pair of Unix stream sockets; a read blocks its thread.

const std = @import("std");
const Io = std.Io;
const linux = std.os.linux;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");

pub const Params = struct { m: u64 };

const Failure = Io.Reader.Error || Io.Writer.Error;

/// Each byte is 1, so what is received adds up to the number of messages.
fn ask(io: Io, stream: Io.net.Stream, m: u64) Failure!u64 {
    var buffer: [16]u8 = undefined;
    var reader = stream.reader(io, &buffer);
    var writer = stream.writer(io, &.{});
    var received: u64 = 0;
    while (received < m) {
        try writer.interface.writeByte(1);
        received += try reader.interface.takeByte();
    }
    return received;
}

fn answer(io: Io, stream: Io.net.Stream, m: u64) Failure!u64 {
    var buffer: [16]u8 = undefined;
    var reader = stream.reader(io, &buffer);
    var writer = stream.writer(io, &.{});
    var received: u64 = 0;
    while (received < m) {
        const byte = try reader.interface.takeByte();
        received += byte;
        try writer.interface.writeByte(byte);
    }
    return received;
}

/// The library's own pairs are of internet sockets, which Linux refuses.
fn pair() ![2]Io.net.Stream {
    var handles: [2]linux.fd_t = undefined;
    if (linux.errno(linux.socketpair(linux.AF.UNIX, linux.SOCK.STREAM | linux.SOCK.CLOEXEC, 0, &handles)) != .SUCCESS) return error.NoSocketPair;
    const address: Io.net.IpAddress = .{ .ip4 = .unspecified(0) };
    return .{ .{ .socket = .{ .handle = handles[0], .address = address } }, .{ .socket = .{ .handle = handles[1], .address = address } } };
}

pub fn run(program: *Program, params: Params) !void {
    const io = program.io;
    const streams = try pair();
    defer for (streams) |stream| stream.close(io);
    while (program.wanted()) {
        var messages: u64 = 0;
        var finished: u64 = 0;
        const lap = program.lap();
        var one = try tasks.start(program, 0, ask, .{ io, streams[0], params.m });
        var other = try tasks.start(program, 1, answer, .{ io, streams[1], params.m });
        for ([_]*Io.Future(Failure!u64){ &one, &other }) |future| {
            messages += try future.await(io);
            finished += 1;
        }
        try program.record(lap.stop(), messages / 2, .{ .finished = finished, .messages = messages });
    }
}
