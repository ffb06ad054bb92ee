"""From the log to numbers with intervals, flags and verdicts. Pure."""
