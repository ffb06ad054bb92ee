// The work of fizzbuzz: what a step says is made into a number, so that saying it can't be left out.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Step x of a task: 31 times the length of what is said, and its first byte.
long fizzbuzz_step(long task, long x);

#ifdef __cplusplus
}
#endif
