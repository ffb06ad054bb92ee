//! What can go wrong in the generator itself.

/// Any failure of the generator itself; what a server does wrong is counted in the report.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
