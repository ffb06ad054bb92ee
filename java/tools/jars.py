"""Fetches the jars of a lock from Maven Central into a folder, each checked against its hash: `jars.py LOCK FOLDER`.

A line of the lock is `group:artifact:version[:classifier] sha256`. A jar is named after its artifact alone.
"""

import hashlib
import os
import sys
import time
import urllib.request
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

CENTRAL = "https://repo.maven.apache.org/maven2"
TOO_MANY = 429
PAUSES_S = (3, 15)  # before the second and the third try


def fetch(coordinates: str, sha256: str, folder: Path) -> None:
    """Puts one jar in place, unless it is there; SystemExit where it is not the one that was locked."""
    group, artifact, version, *classifier = coordinates.split(":")
    jar = folder / f"{artifact}.jar"
    if jar.is_file() and hashlib.sha256(jar.read_bytes()).hexdigest() == sha256:
        return
    name = "-".join([artifact, version, *classifier])
    url = f"{CENTRAL}/{group.replace('.', '/')}/{artifact}/{version}/{name}.jar"
    content = downloaded(url)
    if (found := hashlib.sha256(content).hexdigest()) != sha256:
        sys.exit(f"{url}: its hash is {found}, the lock says {sha256}")
    # Another process may have the same jar fetched, or open.
    part = jar.with_name(f"{jar.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(jar)


def downloaded(url: str) -> bytes:
    """The content; SystemExit with the address where it can't be had. A network may do better the next time."""
    for pause_s in (*PAUSES_S, None):
        try:
            with urllib.request.urlopen(url, timeout=60) as response:
                content: bytes = response.read()
                return content
        except (OSError, HTTPException) as error:
            gone = isinstance(error, HTTPError) and error.code < 500 and error.code != TOO_MANY
            if pause_s is None or gone:
                sys.exit(f"{url}: {error}")
            print(f"{url}: {error}; trying again in {pause_s} s", file=sys.stderr)
            time.sleep(pause_s)
    raise AssertionError("the last try returns or exits")


def main(lock: str, folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for line in Path(lock).read_text().splitlines():
        if line and not line.startswith("#"):
            fetch(*line.split(), Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
