# Hands over one value at a time from one task to one other: Tcl has no queue in which a coroutine can wait.

namespace eval mailbox {
    variable count 0
    variable value
    variable waiter
    array set value {}
    array set waiter {}
}

proc mailbox::new {} {
    variable count
    return box[incr count]
}

proc mailbox::put {box item} {
    variable value
    variable waiter
    if {[info exists value($box)]} {error "the mailbox is full"}
    set value($box) $item
    if {[info exists waiter($box)]} {
        scheduler::wake $waiter($box)
        unset waiter($box)
    }
}

proc mailbox::take {box} {
    variable value
    variable waiter
    if {![info exists value($box)]} {
        set waiter($box) [info coroutine]
        yield
    }
    set item $value($box)
    unset value($box)
    return $item
}
