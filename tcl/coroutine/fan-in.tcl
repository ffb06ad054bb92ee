# p producers send m messages each to one consumer through one bounded queue. Who finds it full or empty waits, first come, first served.

source $env(COROBENCH_HARNESS)/program.tcl

set room 128

# Values lie in an array between the number of the first and that of the next; who waits does so in lists.
namespace eval queue {
    variable value
    variable first 0
    variable next 0
    variable putters {}
    variable getters {}
    array set value {}
}

proc queue::put {item} {
    variable value
    variable first
    variable next
    variable putters
    variable getters
    while {$next - $first == $::room} {
        lappend putters [info coroutine]
        yield
    }
    set value($next) $item
    incr next
    if {[llength $getters]} {
        set getters [lassign $getters waiter]
        scheduler::wake $waiter
    }
}

proc queue::get {} {
    variable value
    variable first
    variable next
    variable putters
    variable getters
    while {$next == $first} {
        lappend getters [info coroutine]
        yield
    }
    set item $value($first)
    unset value($first)
    incr first
    if {[llength $putters]} {
        set putters [lassign $putters waiter]
        scheduler::wake $waiter
    }
    return $item
}

proc produce {item m} {
    for {set i 0} {$i < $m} {incr i} {queue::put $item}
}

# How many messages came, and their sum.
proc consume {messages} {
    set received 0
    set sum 0
    while {$received < $messages} {
        incr sum [queue::get]
        incr received
    }
    return [list $received $sum]
}

proc gather {} {
    set p [program::get p]
    set m [program::get m]
    set nonce [program::nonce]
    set tasks {}
    for {set i 0} {$i < $p} {incr i} {
        lappend tasks [program::start $i [list produce [expr {$nonce + $i + 1}] $m]]
    }
    lappend tasks [program::start $p [list consume [expr {$p * $m}]]]
    set finished 0
    foreach task $tasks {
        set last [scheduler::join $task]
        incr finished
    }
    lassign $last messages sum
    return [list $messages finished $finished messages $messages checksum $sum]
}

program::run fan-in {p 1 m 1} {program::repeated gather}
