// The lines on stdout that need no iterations: hello, and a point at which the program waits for the runner.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The effective settings of the runtime as a JSON object; each runtime has its own.
const char *runtime_settings(void);

// `params` is the inside of a JSON object.
void write_hello(const char *workload, const char *params);

// The same with one parameter, a word.
void write_hello_of(const char *workload, const char *key, const char *value);

// All that was written has left the process.
void flush_lines(void);

// Waits to be let go on.
void wait_for_line(const char *point);

#ifdef __cplusplus
}
#endif
