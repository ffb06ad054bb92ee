# Tells the version of a Tcl that has its header.

source [file join [file dirname [info script]] header.tcl]
header_folder
puts -nonewline [info patchlevel]
