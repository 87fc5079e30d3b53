"""Measurements as JSON lines: what is imported, exported and reviewed. What is
measured goes into a database."""

import os
import pathlib

from errors import UserError

from tuning import measurement


def read(path):
    """The measurements of a file. One that is wrong makes the file wrong: it
    may have lost others."""
    lines = []
    # JSON escapes what str.splitlines would take for the end of a line.
    for number, raw in enumerate(path.read_bytes().split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            lines.append(measurement.parse(raw))
        except ValueError as error:
            raise UserError(f"{path}:{number}: {error}") from error
    return lines


def to_text(lines):
    return "".join(measurement.to_text(line) + "\n" for line in lines)


def write(path, lines):
    """Replaces what is at `path`, or leaves it as it is."""
    new = pathlib.Path(f"{path}.new")
    try:
        with open(new, "w", encoding="ascii") as file:
            file.write(to_text(lines))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise UserError(f"cannot write {path}: {error.strerror}") from error
