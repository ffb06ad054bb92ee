//! Reads key=value words into structs, and says precisely what is wrong with them.

const std = @import("std");
const Writer = std.Io.Writer;

/// The keys that every workload understands.
pub const Shared = struct {
    iterations: u64 = 1,
    min_warm_ms: u64 = 0,
    trace: bool = false,
    nonce: u64 = 0,

    pub const least = .{ .min_warm_ms = 0, .nonce = 0 };
};

/// A field of `Params` is an integer of at least 1, or what its declaration `least` says; the words of an enum; or a flag, which may be left out.
/// What is wrong is written to `complaint`.
pub fn parse(comptime Params: type, words: []const [:0]const u8, complaint: *Writer) error{Usage}!struct { Params, Shared } {
    for (words, 0..) |word, i| {
        const key, _ = std.mem.cutScalar(u8, word, '=') orelse return refuse(complaint, "'{s}' is not key=value", .{word});
        if (!known(Params, key) and !known(Shared, key)) return refuse(complaint, "unknown key {s}", .{key});
        if (find(words[0..i], key) != null) return refuse(complaint, "{s} is given twice", .{key});
    }
    return .{ try read(Params, words, complaint), try read(Shared, words, complaint) };
}

fn known(comptime Struct: type, key: []const u8) bool {
    return std.meta.stringToEnum(std.meta.FieldEnum(Struct), key) != null;
}

fn find(words: []const [:0]const u8, wanted: []const u8) ?[]const u8 {
    for (words) |word| {
        const key, const text = std.mem.cutScalar(u8, word, '=').?;
        if (std.mem.eql(u8, key, wanted)) return text;
    }
    return null;
}

fn read(comptime Struct: type, words: []const [:0]const u8, complaint: *Writer) error{Usage}!Struct {
    var values: Struct = undefined;
    const info = @typeInfo(Struct).@"struct";
    inline for (info.field_names, info.field_types, info.field_attrs) |key, Type, attributes| {
        @field(values, key) = if (find(words, key)) |text|
            try value(Type, key, text, comptime least(Struct, key), complaint)
        else
            attributes.defaultValue(Type) orelse return refuse(complaint, "{s} is missing", .{key});
    }
    return values;
}

fn least(comptime Struct: type, comptime key: []const u8) u64 {
    return if (@hasDecl(Struct, "least") and @hasField(@TypeOf(Struct.least), key)) @field(Struct.least, key) else 1;
}

fn value(comptime Type: type, key: []const u8, text: []const u8, minimum: u64, complaint: *Writer) error{Usage}!Type {
    switch (Type) {
        bool => {
            if (text.len == 1 and (text[0] == '0' or text[0] == '1')) return text[0] == '1';
            return refuse(complaint, "{s}={s} must be 0 or 1", .{ key, text });
        },
        u64 => {
            if (number(text)) |given| if (given >= minimum) return given;
            return refuse(complaint, "{s}={s} must be an integer of at least {d}", .{ key, text, minimum });
        },
        else => return std.meta.stringToEnum(Type, text) orelse
            refuse(complaint, "{s}={s} must be one of {s}", .{ key, text, comptime listed(std.meta.fieldNames(Type)) }),
    }
}

/// parseInt alone would take signs and underscores.
fn number(text: []const u8) ?u64 {
    for (text) |character| if (!std.ascii.isDigit(character)) return null;
    return std.fmt.parseInt(u64, text, 10) catch null;
}

fn listed(comptime names: []const [:0]const u8) []const u8 {
    comptime var list: []const u8 = names[0];
    inline for (names[1..]) |name| list = list ++ ", " ++ name;
    return list;
}

fn refuse(complaint: *Writer, comptime format: []const u8, values: anytype) error{Usage} {
    complaint.print(format, values) catch {};
    return error.Usage;
}
