//! Hands the locked version of hyper to the program.

#[path = "../harness/build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::export("hyper");
}
