"""A program: prints the name and version of the memory allocator that it was started with by
LD_PRELOAD. Fails with the C library's own.
"""

import ctypes
import sys


def main() -> str:
    """What the allocator says of itself."""
    own = ctypes.CDLL(None)
    if hasattr(own, "mi_version"):
        digits = str(own.mi_version())  # 209 is 2.0.9
        return f"mimalloc {'.'.join(digits)}"
    if hasattr(own, "tc_version"):
        own.tc_version.restype = ctypes.c_char_p
        return str(own.tc_version(None, None, None).decode())  # gperftools 2.10
    if hasattr(own, "mallctl"):
        version = ctypes.c_char_p()
        size = ctypes.c_size_t(ctypes.sizeof(version))
        own.mallctl(b"version", ctypes.byref(version), ctypes.byref(size), None, ctypes.c_size_t(0))
        return f"jemalloc {(version.value or b'').decode()}"
    sys.exit("no allocator but the C library's")


if __name__ == "__main__":
    print(main())
