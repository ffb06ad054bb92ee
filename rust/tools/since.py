"""Exits with 0 if a cargo is of a version or a newer one: since.py CARGO 1.93."""

import re
import subprocess
import sys


def parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


if __name__ == "__main__":
    cargo, least = sys.argv[1:]
    told = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"cargo ([0-9.]+)", told)
    sys.exit(found is None or parts(found[1]) < parts(least))
