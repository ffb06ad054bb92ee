// The life of a server's process: it says who it is and where it listens, and serves until it is told to stop.
#pragma once

// The place of the key's value among the words (which end with NULL); anything else ends with status 2.
int choice(int argc, char **argv, const char *key, const char *const words[]);

// Ends with status 2 where an argument is left that nobody took.
void refuse_others(int argc, char **argv);

// Writes the hello with one parameter, announces the port, and returns when the server is to stop.
void serve(const char *workload, const char *key, const char *value, int port);

// The same for a process that has started the server, and is none of it.
void serve_as_launcher(const char *workload, const char *key, const char *value, int port);
