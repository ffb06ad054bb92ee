/* The clocks that Tcl does not tell: monotonic time, and the CPU time of the process, in nanoseconds. */

#include <tcl.h>
#include <time.h>

static int tell(ClientData clock, Tcl_Interp *interp, int count, Tcl_Obj *const words[]) {
    struct timespec now;
    if (count != 1) {
        Tcl_WrongNumArgs(interp, 1, words, NULL);
        return TCL_ERROR;
    }
    clock_gettime(*(const clockid_t *)clock, &now);
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)now.tv_sec * 1000000000 + now.tv_nsec));
    return TCL_OK;
}

int Clocks_Init(Tcl_Interp *interp) {
    static const clockid_t wall = CLOCK_MONOTONIC, cpu = CLOCK_PROCESS_CPUTIME_ID;
    Tcl_CreateObjCommand(interp, "clock_ns", tell, (ClientData)&wall, NULL);
    Tcl_CreateObjCommand(interp, "cpu_ns", tell, (ClientData)&cpu, NULL);
    return Tcl_PkgProvide(interp, "clocks", "1.0");
}
