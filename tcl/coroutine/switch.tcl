# Lets k tasks yield m times each, by the scheduler's pass.

source $env(COROBENCH_HARNESS)/program.tcl

set last -1
set switches 0

# Looks at every resume; without trace=1 or count=1, which are never timed, it is not asked.
proc resumed {i} {
    global last switches
    program::record run $i
    if {$last != $i} {incr switches}
    set last $i
}

# How often it was resumed, counted from the nonce on.
proc task {i first stop watched} {
    set count $first
    while {$count < $stop} {
        scheduler::pass
        incr count
        if {$watched} {resumed $i}
    }
    return $count
}

proc give_way {} {
    set k [program::get k]
    set first [program::nonce]
    set stop [expr {$first + [program::get m]}]
    set watched [expr {$program::traced || [program::get count]}]
    set tasks {}
    for {set i 0} {$i < $k} {incr i} {
        lappend tasks [program::start_resuming $i [list task $i $first $stop $watched]]
    }
    set finished 0
    set checksum 0
    foreach task $tasks {
        incr checksum [scheduler::join $task]
        incr finished
    }
    set resumes [expr {$checksum - $k * $first}]
    set counted [expr {[program::get count] ? [list true_switches $::switches] : {}}]
    return [list $resumes finished $finished resumes $resumes checksum $checksum {*}$counted]
}

program::run switch {k 1 m 1} {program::repeated give_way} count
