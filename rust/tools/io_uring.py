"""Exits with 0 if a program would have an io_uring: the kernel has it, in the version that can be
asked for its operations (Linux 5.6), and neither a seccomp filter nor kernel.io_uring_disabled
keeps this user from it.
"""

import ctypes
import sys

# System calls have these numbers on every architecture that Rust builds for.
SETUP, REGISTER = 425, 427
REGISTER_PROBE = 8
ENTRIES = 1024  # as the runtimes ask for by default, or more


def refused() -> bool:
    call = ctypes.CDLL(None).syscall
    params = ctypes.create_string_buffer(120)
    probe = ctypes.create_string_buffer(16 + 256 * 8)
    ring = call(SETUP, ENTRIES, params)
    return ring < 0 or call(REGISTER, ring, REGISTER_PROBE, probe, 256) < 0


if __name__ == "__main__":
    sys.exit(refused())
