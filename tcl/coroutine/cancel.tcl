# n parked tasks are cancelled by an error that their wait raises when it is resumed with one, clean up behind finally, and are joined.

source $env(COROBENCH_HARNESS)/program.tcl

proc wait {i} {
    global waiting
    program::record park $i
    set waiting($i) [info coroutine]
    if {[yield] eq "cancel"} {throw CANCELLED "cancelled"}
}

proc work {i} {
    global cleaned
    try {
        wait $i
    } finally {
        incr cleaned
    }
}

proc park {i} {
    try {
        work $i
    } trap CANCELLED {} {
        return
    }
    error "a task ran past its wait"
}

# All of them wait when it returns: after one turn of the scheduler they do, and in another one those that only gave way go on.
proc gather {} {
    global cleaned
    set cleaned 0
    set tasks {}
    for {set i 0} {$i < [program::get n]} {incr i} {lappend tasks [program::start $i [list park $i]]}
    scheduler::pass
    scheduler::pass
    return [list $tasks]
}

proc cancel {tasks} {
    global waiting cleaned
    set waited [expr {[llength $tasks] - $cleaned}]
    for {set i 0} {$i < [llength $tasks]} {incr i} {scheduler::wake $waiting($i) cancel}
    set finished 0
    foreach task $tasks {
        scheduler::join $task
        program::record collect $finished
        incr finished
    }
    return [list $finished created $waited cancelled $cleaned finished $finished]
}

proc main {} {
    program::hold base 0
    program::repeated cancel gather
    program::hold released 0
}

program::run cancel {n 1} main
