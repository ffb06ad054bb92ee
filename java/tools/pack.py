"""Moves what was compiled into a folder into `programs.jar` there: `pack.py FOLDER`.

Java caches the classes of jars only, not those of a folder. Files keep their times, by which
Clojure prefers a class to its source. They are not compressed: each start would inflate them again.
"""

import sys
from pathlib import Path
from zipfile import ZipFile


def main(folder: str) -> None:
    files = (path for path in Path(folder).rglob("*") if path.is_file())
    compiled = sorted(file for file in files if file.suffix != ".args")
    with ZipFile(Path(folder, "programs.jar"), "w") as jar:
        for file in compiled:
            jar.write(file, file.relative_to(folder))
            file.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
