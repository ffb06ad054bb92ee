# A planted fault: a task that nobody joins fails while the root waits.

source $env(COROBENCH_HARNESS)/program.tcl

proc fail {} {
    error "planted"
}

proc main {} {
    program::start 0 fail
    scheduler::pass
}

program::run planted {} main
