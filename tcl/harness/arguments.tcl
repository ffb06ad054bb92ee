# Reads key=value words against rules, and names precisely what is wrong with them.

namespace eval arguments {
    # The least value and the default of the keys that every workload understands.
    variable shared {iterations {1 1} min_warm_ms {0 0} trace {0 0} nonce {0 0}}
}

# Raised for a wrong command line.
proc arguments::usage {text} {
    throw USAGE $text
}

proc arguments::integer {key text least flag} {
    # A leading zero would make it octal.
    if {![regexp {^(0|[1-9]\d{0,17})$} $text] || $text < $least} {
        usage "$key=$text must be an integer of at least $least"
    }
    if {$flag && $text > 1} {usage "$key=$text must be 0 or 1"}
    return $text
}

proc arguments::word {key text known} {
    if {$text ni $known} {usage "$key=$text must be one of [join $known {, }]"}
    return $text
}

# A rule is the least value of an integer, or a list of several words; flags are keys that may be left out. Returns the values of all
# keys, and those of the rules alone.
proc arguments::parse {words rules flags} {
    variable shared
    set values {}
    lappend flags trace
    foreach given $words {
        if {![regexp {^([^=]*)=(.*)$} $given -> key text]} {usage "\"$given\" is not key=value"}
        if {[dict exists $values $key]} {usage "$key is given twice"}
        if {[dict exists $rules $key]} {
            set rule [dict get $rules $key]
        } elseif {[dict exists $shared $key]} {
            set rule [lindex [dict get $shared $key] 0]
        } elseif {$key in $flags} {
            set rule 0
        } else {
            usage "unknown key $key"
        }
        if {[llength $rule] > 1} {
            dict set values $key [word $key $text $rule]
        } else {
            dict set values $key [integer $key $text $rule [expr {$key in $flags}]]
        }
    }
    set params {}
    dict for {key rule} $rules {
        if {![dict exists $values $key]} {usage "$key is missing"}
        dict set params $key [dict get $values $key]
    }
    set defaults [dict map {key rule} $shared {lindex $rule 1}]
    foreach flag $flags {dict set defaults $flag 0}
    return [list [dict merge $defaults $values] $params]
}
