# Holds every file to what can be told without running it: braces that match, expressions and conditions in braces (which is what has
# them compiled), and a plain layout.

set failed 0

proc complain {file number text} {
    incr ::failed
    puts stderr "$file:$number: $text"
}

cd [file dirname [file dirname [file normalize [info script]]]]
foreach file [lsort [glob */*.tcl */*.test]] {
    set channel [open $file]
    set text [read $channel]
    close $channel
    if {![info complete $text]} {complain $file 1 "a brace, bracket or quote is left open"}
    set number 0
    foreach line [split $text \n] {
        incr number
        if {[string length $line] > 140} {complain $file $number "longer than 140 characters"}
        if {[regexp {\t|\s$} $line]} {complain $file $number "a tab, or a blank at the end"}
        if {[regexp {\m(expr|if|elseif|while)\s+[$\[]} $line]} {complain $file $number "an expression without braces"}
        regexp {^ *} $line indent
        if {[string length $indent] % 4} {complain $file $number "not indented by fours"}
    }
}
exit [expr {$failed > 0}]
