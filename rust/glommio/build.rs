//! Hands the compiler's version to the programs, and the locked one of the runtime.

#[path = "../harness/build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::export("glommio");
}
