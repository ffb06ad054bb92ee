# Calls a plain procedure n times and sums what it returns: the language without tasks.

source $env(COROBENCH_HARNESS)/program.tcl

proc body {i} {
    return $i
}

proc call {} {
    set first [program::nonce]
    set stop [expr {$first + [program::get n]}]
    set finished 0
    set checksum 0
    for {set i $first} {$i < $stop} {incr i} {
        incr checksum [body $i]
        incr finished
    }
    return [list $finished finished $finished checksum $checksum]
}

program::run baseline {n 1} {program::repeated call}
