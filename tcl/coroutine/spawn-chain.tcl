# Each task starts the next as its last act; the root waits for the last one only.

source $env(COROBENCH_HARNESS)/program.tcl
source $env(COROBENCH_HARNESS)/mailbox.tcl

proc link {i last ended} {
    global finished checksum
    incr checksum $i
    incr finished
    if {$i < $last} {
        set next [expr {$i + 1}]
        program::start $next [list link $next $last $ended]
    } else {
        mailbox::put $ended 1
    }
}

proc chain {} {
    global finished checksum
    set finished 0
    set checksum 0
    set ended [mailbox::new]
    set first [program::nonce]
    program::start $first [list link $first [expr {$first + [program::get n] - 1}] $ended]
    mailbox::take $ended
    return [list $finished finished $finished checksum $checksum]
}

program::run spawn-chain {n 1} {program::repeated chain}
