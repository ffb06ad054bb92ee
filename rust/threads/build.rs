//! Hands the compiler's version, which is the standard library's, to the programs.

#[path = "../harness/build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::export("corobench-threads");
}
