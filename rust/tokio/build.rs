//! Hands the locked version of tokio to the programs.

#[path = "../harness/build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::export("tokio");
}
