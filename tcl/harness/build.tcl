# Compiles the clocks into a folder: tclsh build.tcl FOLDER.

set here [file dirname [file normalize [info script]]]
source $here/header.tcl
lassign $argv folder
file mkdir $folder
exec -ignorestderr cc -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Werror -fPIC -shared -I[header_folder] \
    -o $folder/clocks.so $here/clocks.c
