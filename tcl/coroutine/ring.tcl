# k tasks, each waiting at a mailbox of one, pass a token round.

source $env(COROBENCH_HARNESS)/program.tcl
source $env(COROBENCH_HARNESS)/players.tcl

proc prepare {} {
    players::prepare [program::get k] [program::get rounds]
}

program::run ring {k 1 rounds 1} {program::repeated players::pass prepare}
