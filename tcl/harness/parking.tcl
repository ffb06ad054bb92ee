# Parks n tasks at one gate and holds the process still before, while and after they live.

namespace eval parking {
    variable parked 0
    variable waiting {}
}

# Parks task i until the gate is opened.
proc parking::wait {i} {
    variable parked
    variable waiting
    program::record park $i
    incr parked
    lappend waiting [info coroutine]
    yield
    incr parked -1
}

# How many tasks were started; they are gone, handles and all, when it returns what they added up to.
proc parking::live {body} {
    variable parked
    variable waiting
    set first [program::nonce]
    set tasks {}
    for {set i $first} {$i < $first + [program::get n]} {incr i} {
        lappend tasks [program::start $i [list $body $i]]
    }
    scheduler::pass
    program::hold live $parked
    foreach coroutine $waiting {scheduler::wake $coroutine}
    set waiting {}
    set finished 0
    set checksum 0
    foreach task $tasks {
        incr checksum [scheduler::join $task]
        incr finished
    }
    return [list $finished created [llength $tasks] finished $finished checksum $checksum]
}

proc parking::operation {body} {
    variable parked
    program::hold base 0
    set outcome [live $body]
    program::hold released $parked
    return $outcome
}

# The whole program of a memory workload: `body` is given its number, waits at the gate once, and returns the number.
proc parking::measure {workload body} {
    program::run $workload {n 1} [list ::program::lap [list ::parking::operation $body]]
}
