# The smallest process, or one task. The harness is loaded only for other words than these, and for the report that verify asks for.

proc body {} {
    return 1
}

proc first_task {} {
    uplevel #0 {source $env(COROBENCH_HARNESS)/scheduler.tcl}
    scheduler::run first_joined
    exit [expr {$::joined != 1}]
}

proc first_joined {} {
    set ::joined [scheduler::join [scheduler::start body]]
}

proc operation {} {
    if {[program::get mode] eq "bare"} {return {1 finished 0}}
    return [list 1 finished [scheduler::join [program::start 0 body]]]
}

if {$argv eq "mode=first-task"} {
    first_task
} elseif {$argv ne "mode=bare"} {
    source $env(COROBENCH_HARNESS)/program.tcl
    program::run startup {mode {bare first-task}} {program::lap operation} report
}
