# One process: its arguments, the lines that it owes the runner, and the loop that times its operation.

set here [file dirname [file normalize [info script]]]
foreach name {arguments scheduler} {source $here/$name.tcl}
load $env(COROBENCH_CLOCKS)/clocks.so

namespace eval program {
    variable most_iterations 10000
    variable number -1      ;# of the last task that was numbered as it came
    variable done 0         ;# iterations that are over
    variable lines {}
    variable traced 0
    variable events {}
    variable start_ns 0
    variable start_cpu 0
    variable values {}
}

# What is written is JSON already; text has no character that must be escaped.
proc program::object {args} {
    set fields {}
    foreach {name value} $args {lappend fields "\"$name\":$value"}
    return "{[join $fields ,]}"
}

proc program::text {value} {
    return "\"$value\""
}

proc program::hello {workload params} {
    global env
    if {![info exists env(COROBENCH_RUNTIME)]} {arguments::usage "COROBENCH_RUNTIME is not set"}
    set version [text [info patchlevel]]
    set given {}
    dict for {key value} $params {
        lappend given $key [expr {[string is wideinteger $value] ? $value : [text $value]}]
    }
    set settings [object threaded [expr {[info exists ::tcl_platform(threaded)] ? {true} : {false}}]]
    puts [object type [text hello] protocol 1 runtime [text $env(COROBENCH_RUNTIME)] version $version language_version $version \
        workload [text $workload] params [object {*}$given] settings $settings]
}

proc program::get {key} {
    variable values
    return [dict get $values $key]
}

# The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
proc program::nonce {} {
    variable values
    variable done
    return [expr {[dict get $values nonce] + $done}]
}

# Records who runs when, where a trace was asked for.
proc program::record {kind i} {
    variable traced
    variable events
    if {$traced} {lappend events "\[\"$kind\",$i,\"[info coroutine]\"\]"}
}

# Starts task i; joining it gives what the command returned.
proc program::start {i command} {
    variable traced
    if {!$traced} {tailcall ::scheduler::start $command}
    tailcall start_resuming $i [list ::program::recorded run $i $command]
}

proc program::recorded {kind i command} {
    record $kind $i
    return [{*}$command]
}

# The same for a task that records by itself when it is resumed.
proc program::start_resuming {i command} {
    variable traced
    if {!$traced} {tailcall ::scheduler::start $command}
    record spawn $i
    set task [scheduler::start [list ::program::ended $i $command]]
    record spawned $i
    return $task
}

proc program::ended {i command} {
    set value [{*}$command]
    record done $i
    return $value
}

# The same for a task that others than the root start: its number is the next.
proc program::start_next {command} {
    variable number
    tailcall start [incr number] $command
}

# The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence.
proc program::lap {operation} {
    variable done
    variable lines
    variable start_ns
    variable start_cpu
    set start_cpu [cpu_ns]
    set start_ns [clock_ns]
    set outcome [{*}$operation]
    set elapsed [expr {[clock_ns] - $start_ns}]
    set cpu [expr {[cpu_ns] - $start_cpu}]
    set evidence [lassign $outcome ops]
    lappend lines [object type [text iteration] index $done elapsed_ns $elapsed cpu_ns $cpu ops $ops evidence [object {*}$evidence]]
    incr done
    return $elapsed
}

# Times the operation until that is enough; what `prepare` returns before each time is given to it, untimed.
proc program::repeated {operation {prepare list}} {
    variable done
    variable most_iterations
    variable traced
    set warm 0
    while 1 {
        set elapsed [lap [list {*}$operation {*}[{*}$prepare]]]
        if {$done > 1} {incr warm $elapsed}
        if {$traced || $done >= $most_iterations} return
        if {$done >= [get iterations] && $warm >= [get min_warm_ms] * 1000000} return
    }
}

# Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration that is
# under way.
proc program::hold {point units} {
    variable start_ns
    variable start_cpu
    set cpu [cpu_ns]
    set start [clock_ns]
    record hold -1
    puts [object type [text hold] point [text $point] units $units]
    flush stdout
    if {[gets stdin line] < 0} {error "stdin ended at the hold $point: the runner is gone"}
    incr start_ns [expr {[clock_ns] - $start}]
    incr start_cpu [expr {[cpu_ns] - $cpu}]
}

# Raw samples in nanoseconds, in the order in which they happened.
proc program::series {name samples} {
    variable lines
    lappend lines [object type [text series] name [text $name] values "\[[join $samples ,]\]"]
}

proc program::whole {main} {
    variable lines
    variable traced
    variable events
    {*}$main
    foreach line $lines {puts $line}
    if {$traced} {puts [object type [text trace] events "\[[join $events ,]\]"]}
    puts [object type [text end]]
    flush stdout
}

# Runs a workload to its last line, and ends the process.
proc program::run {workload rules main args} {
    variable values
    variable traced
    fconfigure stdout -buffering full -encoding utf-8 -translation lf
    try {
        lassign [arguments::parse $::argv $rules $args] values params
        set traced [get trace]
        hello $workload $params
        scheduler::run [list ::program::whole $main]
    } trap USAGE text {
        puts stderr "usage: $text"
        exit 2
    } on error {text options} {
        puts stderr [dict get $options -errorinfo]
        exit 1
    }
    exit 0
}
