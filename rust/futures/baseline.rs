//! Calls the task's body n times as a plain function: the program that all runtimes of the language have.

#[path = "../portable/baseline.rs"]
mod portable;

pub(crate) use portable::main;
