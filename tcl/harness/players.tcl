# The tasks of hand-off and ring.

source [file join [file dirname [info script]] mailbox.tcl]

namespace eval players {}

# Takes the token, adds one and passes it on; returns how often it had it.
proc players::play {i inbox outbox rounds} {
    set received 0
    while {$received < $rounds} {
        set token [mailbox::take $inbox]
        if {$program::traced} {program::record run $i}
        incr received
        mailbox::put $outbox [incr token]
    }
    return $received
}

# Starts k players in a ring, with a mailbox each, at which all of them wait when this returns the first mailbox and the tasks.
proc players::prepare {k rounds} {
    set boxes {}
    set tasks {}
    for {set i 0} {$i < $k} {incr i} {lappend boxes [mailbox::new]}
    for {set i 0} {$i < $k} {incr i} {
        set command [list ::players::play $i [lindex $boxes $i] [lindex $boxes [expr {($i + 1) % $k}]] $rounds]
        lappend tasks [program::start_resuming $i $command]
    }
    scheduler::pass
    return [list [lindex $boxes 0] $tasks]
}

# Gives the first player the token, joins them all, and takes the token that the last one sent.
proc players::pass {box tasks} {
    set finished 0
    set messages 0
    mailbox::put $box [program::nonce]
    foreach task $tasks {
        incr messages [scheduler::join $task]
        incr finished
    }
    return [list $messages finished $finished messages $messages checksum [mailbox::take $box]]
}
