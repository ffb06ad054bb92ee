// What a step of fizzbuzz says, and what that is worth.
#include "harness/fizzbuzz.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 24 };

// A number that is said itself is written into `digits`.
static const char *said(long value, char digits[MOST_DIGITS]) {
    if (value % 15 == 0) return "FizzBuzz";
    if (value % 3 == 0) return "Fizz";
    if (value % 5 == 0) return "Buzz";
    snprintf(digits, MOST_DIGITS, "%ld", value);
    return digits;
}

long fizzbuzz_step(long task, long x) {
    char digits[MOST_DIGITS];
    const char *text = said(task + x, digits);
    return 31 * (long)strlen(text) + text[0];
}
