//! What all programs share.

pub const Program = @import("Program.zig");
pub const arguments = @import("arguments.zig");
pub const baseline = @import("baseline.zig");
