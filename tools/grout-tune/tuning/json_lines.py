"""Measurements as JSON lines, for import, export and review. `run` writes
measurements to a database instead."""

import os
import pathlib

from errors import UserError

from tuning import measurement


def read(path):
    """Returns the measurements of a file. If a line is wrong, raises
    UserError: the file may have lost other lines."""
    lines = []
    # Split only at "\n": str.splitlines would also split at other characters.
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
    """Replaces the file at `path`, or leaves it as it is."""
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
