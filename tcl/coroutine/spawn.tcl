# Starts n tasks, then collects and sums what they return.

source $env(COROBENCH_HARNESS)/program.tcl

proc body {i} {
    return $i
}

proc spawn {} {
    set first [program::nonce]
    set stop [expr {$first + [program::get n]}]
    set tasks {}
    for {set i $first} {$i < $stop} {incr i} {
        lappend tasks [program::start $i [list body $i]]
    }
    set created [llength $tasks]
    set finished 0
    set checksum 0
    foreach task $tasks {
        set value [scheduler::join $task]
        if {$program::traced} {program::record collect $value}
        incr checksum $value
        incr finished
    }
    return [list $finished created $created finished $finished checksum $checksum]
}

program::run spawn {n 1} {program::repeated spawn}
