"""The database: a file of JSON lines, which only grows. grout-compile reads it,
too: lib/Dialect/TGemm/Transforms/TuningDatabase.cpp.

A line is the measurement of one candidate:

    {"version": 1, "target": "h200", "kind": "product" or "chain",
     "key": text of the compiler's, "mode": ..., "tilings": ["<m = ...>", ...],
     "us": median, "spread": (slowest - fastest) / median, "samples": number,
     ...}

Optional are "eliminated": true if it was given up early, "model": true if it is
the model's choice for the mode, "auto": true if that is also mode auto's, and
"modelled_us", "name", "device", "driver", "cuda" and "date" for readers.
"""

import collections
import itertools
import json
import math
import os

from errors import UserError

VERSION = 1


def _check(line):
    """Raises ValueError if `line` is no measurement."""
    if not isinstance(line, dict):
        raise ValueError("is no JSON object")
    if line.get("version") != VERSION:
        raise ValueError(f"has version {line.get('version')}, and this "
                         f"grout-tune reads {VERSION}")
    for name in ("target", "kind", "key", "mode"):
        if not isinstance(line.get(name), str):
            raise ValueError(f"has no text '{name}'")
    tilings = line.get("tilings")
    if not (isinstance(tilings, list) and tilings and
            all(isinstance(tiling, str) for tiling in tilings)):
        raise ValueError("has no list 'tilings'")
    us = line.get("us")
    if not (isinstance(us, (int, float)) and 0 < us < math.inf):
        raise ValueError("has no time 'us'")


class Database:
    """What is in a file, and what is added to it. `warn` gets what is wrong
    with it."""

    def __init__(self, path, warn):
        self.path = path
        self._lines = {}
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return
        end = text.rfind(b"\n") + 1
        if end != len(text):
            warn(f"{path}: the last line was cut off, and is left out")
        for number, raw in enumerate(text[:end].splitlines(), 1):
            if not raw.strip():
                continue
            try:
                line = json.loads(raw)
                _check(line)
            except ValueError as error:
                warn(f"{path}:{number}: line is left out: {error}")
                continue
            self._keep(line)

    def _keep(self, line):
        case = (line["target"], line["kind"], line["key"])
        # What is measured again counts anew.
        self._lines.setdefault(case, {})[
            line["mode"], tuple(line["tilings"])] = line

    def add(self, lines):
        """Appends the lines of a case, at once."""
        text = "".join(json.dumps(line) + "\n" for line in lines).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a+b", buffering=0) as file:
                self._cut(file)
                file.write(text)
                os.fsync(file.fileno())
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error}") from error
        for line in lines:
            self._keep(line)

    @staticmethod
    def _cut(file):
        """Removes a last line that was cut off."""
        end = size = file.seek(0, os.SEEK_END)
        while end:
            file.seek(end - 1)
            if file.read(1) == b"\n":
                break
            end -= 1
        if end != size:
            file.truncate(end)

    def cases(self):
        """(target, kind, key), in order."""
        return list(self._lines)

    def lines(self, target, kind, key):
        return list(self._lines.get((target, kind, key), {}).values())

    def modes(self, target, kind, key):
        """Those that have been measured."""
        return {line["mode"] for line in self.lines(target, kind, key)}

    def origins(self):
        """How many cases have times of each (GPU, driver), and how many of
        several, which do not compare."""
        found = [{(line.get("device"), line.get("driver"))
                  for line in lines.values()} for lines in self._lines.values()]
        return (collections.Counter(itertools.chain(*found)),
                sum(len(origins) > 1 for origins in found))

    def times(self, target, key):
        """Microseconds of a product by tiling."""
        return {line["tilings"][0]: line["us"]
                for line in self.lines(target, "product", key)}
