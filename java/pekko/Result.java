package pekko;

/** What a task tells whoever started it, as its last act. */
record Result(int number, long value) {}
