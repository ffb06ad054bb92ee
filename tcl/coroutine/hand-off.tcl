# Two tasks pass a token to and fro, m times each, through mailboxes of one.

source $env(COROBENCH_HARNESS)/program.tcl
source $env(COROBENCH_HARNESS)/players.tcl

proc prepare {} {
    players::prepare 2 [program::get m]
}

program::run hand-off {m 1} {program::repeated players::pass prepare}
