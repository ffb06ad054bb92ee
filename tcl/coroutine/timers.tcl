# n tasks sleep once, each until a deadline of its own within one second.

source $env(COROBENCH_HARNESS)/program.tcl

set spread 1000000000
set ms 1000000

# `after` takes whole milliseconds: rounded up.
proc sleeper {i deadline} {
    global ms
    set left [expr {max(0, $deadline - [clock_ns])}]
    scheduler::sleep [expr {($left + $ms - 1) / $ms}]
    return [list $i [expr {[clock_ns] - $deadline}]]
}

proc sleep_all {} {
    global spread ms lateness
    set n [program::get n]
    set start [expr {[clock_ns] + [program::get lead] * $ms}]
    set tasks {}
    for {set i 0} {$i < $n} {incr i} {
        lappend tasks [program::start $i [list sleeper $i [expr {$start + $i * $spread / $n}]]]
    }
    set finished 0
    set checksum 0
    set early 0
    foreach task $tasks {
        lassign [scheduler::join $task] number late
        if {$late < -$ms} {incr early}
        lappend lateness [expr {max(0, $late)}]
        incr checksum $number
        incr finished
    }
    return [list $finished created [llength $tasks] finished $finished checksum $checksum early $early]
}

proc main {} {
    global lateness
    program::lap sleep_all
    program::series lateness $lateness
}

program::run timers {n 1 lead 0} main
