//! Hands the locked version of futures to the programs.

#[path = "../harness/build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::export("futures");
}
