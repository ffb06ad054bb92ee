// What the programs share: errors of libuv, and which callback is running.
#pragma once

#include <uv.h>

// Ends the program where libuv tells of an error.
void check(int status, const char *what);

// Names the struct whose callback begins to run, for a trace; NULL when it returns.
void callback_of(const void *running);
