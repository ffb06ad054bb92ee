//! What a command line may be.

const std = @import("std");
const arguments = @import("harness").arguments;
const Writer = std.Io.Writer;

const Tested = struct {
    phase: enum { base, spawn },
    n: u64,
    count: bool = false,
};

test "values and defaults" {
    var complaint: Writer = .failing;
    const params, const shared = try arguments.parse(Tested, &.{ "phase=spawn", "n=7", "trace=1" }, &complaint);
    try std.testing.expectEqual(Tested{ .phase = .spawn, .n = 7 }, params);
    try std.testing.expectEqual(arguments.Shared{ .trace = true }, shared);
}

test "what is refused" {
    const cases = .{
        .{ .{"phase=base"}, "n is missing" },
        .{ .{"n"}, "'n' is not key=value" },
        .{ .{ "n=1", "n=2" }, "n is given twice" },
        .{ .{"m=1"}, "unknown key m" },
        .{ .{ "phase=base", "n=0" }, "n=0 must be an integer of at least 1" },
        .{ .{ "phase=base", "n=1.5" }, "n=1.5 must be an integer of at least 1" },
        .{ .{ "phase=base", "n=1_0" }, "n=1_0 must be an integer of at least 1" },
        .{ .{ "phase=base", "n=" }, "n= must be an integer of at least 1" },
        .{ .{ "phase=base", "n=99999999999999999999" }, "n=99999999999999999999 must be an integer of at least 1" },
        .{ .{ "phase=base", "n=1", "nonce=-1" }, "nonce=-1 must be an integer of at least 0" },
        .{ .{ "phase=base", "n=1", "trace=2" }, "trace=2 must be 0 or 1" },
        .{ .{ "phase=x", "n=1" }, "phase=x must be one of base, spawn" },
    };
    inline for (cases) |case| {
        var said: [100]u8 = undefined;
        var complaint: Writer = .fixed(&said);
        try std.testing.expectError(error.Usage, arguments.parse(Tested, &case[0], &complaint));
        try std.testing.expectEqualStrings(case[1], complaint.buffered());
    }
}
