// The life of a server's process: it says who it is and where it listens, and serves until it is told to stop.
#pragma once

// Writes the hello with one parameter, announces the port, and returns when the server is to stop.
void serve(const char *workload, const char *key, const char *value, int port);

// The same for a process that has started the server, and is none of it.
void serve_as_launcher(const char *workload, const char *key, const char *value, int port);
