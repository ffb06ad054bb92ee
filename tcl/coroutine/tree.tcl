# A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf.

source $env(COROBENCH_HARNESS)/program.tcl

set children 10

# How many tasks were joined in a task, itself included, and the sum of its leaves.
proc node {first leaves} {
    global children
    if {$leaves == 1} {return [list 1 $first]}
    set share [expr {$leaves / $children}]
    set started {}
    for {set i 0} {$i < $children} {incr i} {
        lappend started [program::start_next [list node [expr {$first + $i * $share}] $share]]
    }
    set tasks 1
    set sum 0
    foreach child $started {
        lassign [scheduler::join $child] below part
        incr tasks $below
        incr sum $part
    }
    return [list $tasks $sum]
}

proc grow {} {
    lassign [scheduler::join [program::start_next [list node [program::nonce] [program::get n]]]] tasks sum
    return [list $tasks finished $tasks checksum $sum]
}

proc main {} {
    set n [program::get n]
    if {![regexp {^10*$} $n]} {arguments::usage "n=$n must be a power of ten"}
    program::repeated grow
}

program::run tree {n 1} main
