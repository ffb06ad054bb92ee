# Parks n tasks, each eight calls deep with 1 KiB of its own.

source $env(COROBENCH_HARNESS)/program.tcl
source $env(COROBENCH_HARNESS)/parking.tcl

set depth 8
set size 1024
set kinds 251

proc descend {i level} {
    global depth size kinds
    if {$level < $depth} {
        set value [descend $i [expr {$level + 1}]]
        return $value
    }
    # One byte each: as text most of them would be two.
    set state [binary format c* [lrepeat $size [expr {$i % $kinds}]]]
    parking::wait $i
    binary scan [string index $state end] cu last
    return [expr {$i - $i % $kinds + $last}]
}

proc body {i} {
    descend $i 1
}

parking::measure memory-state body
