# Tcl has coroutines, and leaves what resumes them to others: this is a queue of commands that are ready, first in, first out, and, once
# that is empty, Tcl's event loop. A task is named by its coroutine.

namespace eval scheduler {
    variable ready {}
    variable count 0
    variable result
    variable waiter
    variable asleep 0
    variable turned 0
    array set result {}
    array set waiter {}
}

# Puts a coroutine at the end of the queue; its yield returns the arguments.
proc scheduler::wake {args} {
    variable ready
    lappend ready $args
}

# One cooperative yield.
proc scheduler::pass {} {
    variable ready
    lappend ready [info coroutine]
    yield
}

# Starts a task, which waits for its turn.
proc scheduler::start {command} {
    variable ready
    variable count
    set task ::task[incr count]
    lappend ready [list coroutine $task ::scheduler::perform $task $command]
    return $task
}

proc scheduler::perform {task command} {
    variable result
    variable waiter
    set result($task) [{*}$command]
    if {[info exists waiter($task)]} {
        wake $waiter($task)
        unset waiter($task)
    }
}

# What the task's command returned; waits for it. It can be asked for once.
proc scheduler::join {task} {
    variable result
    variable waiter
    if {![info exists result($task)]} {
        set waiter($task) [info coroutine]
        yield
    }
    set value $result($task)
    unset result($task)
    return $value
}

# Gives way for milliseconds.
proc scheduler::sleep {ms} {
    variable asleep
    incr asleep
    after $ms [list ::scheduler::awake [info coroutine]]
    yield
}

proc scheduler::awake {coroutine} {
    variable asleep
    variable turned
    incr asleep -1
    wake $coroutine
    set turned 1
}

# Runs the root and all that it starts, until the root ends. An error of any of them ends it, as does a root that waits for ever.
proc scheduler::run {command} {
    variable ready
    variable asleep
    variable result
    set root [start $command]
    while {![info exists result($root)]} {
        if {[llength $ready]} {
            set turn $ready
            set ready {}
            foreach command $turn {{*}$command}
        } elseif {$asleep} {
            vwait ::scheduler::turned
        } else {
            error "every coroutine waits for another"
        }
    }
}
