# The folder of this Tcl's own C header, where it was installed or unpacked; an error if there is none.
proc header_folder {} {
    set unpacked [file dirname [file dirname [file dirname [info nameofexecutable]]]]
    set installed [tcl::pkgconfig get includedir,runtime]
    foreach folder [list $unpacked$installed $installed] {
        if {[file exists $folder/tcl.h]} {return $folder}
    }
    error "no tcl.h in $installed"
}
