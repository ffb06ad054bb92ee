# Parks n tasks that hold nothing but their number.

source $env(COROBENCH_HARNESS)/program.tcl
source $env(COROBENCH_HARNESS)/parking.tcl

proc body {i} {
    parking::wait $i
    return $i
}

parking::measure memory body
