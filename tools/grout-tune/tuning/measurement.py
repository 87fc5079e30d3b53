"""The measurement of one candidate, as a line of JSON. grout-compile reads such
lines, too: lib/Dialect/TGemm/Transforms/TuningEntry.cpp.

    {"version": 1, "target": "h200", "kind": "product" or "chain",
     "key": text of the compiler's, "mode": ..., "tilings": ["<m = ...>", ...],
     "us": median, "spread": (slowest - fastest) / median, "samples": number,
     ...}

Optional are "eliminated": true if it was given up early, "model": true if it is
the model's choice for the mode, "auto": true if that is also mode auto's, and
"modelled_us", "name", "device", "driver", "cuda" and "date" for readers.
"""

import json
import math

VERSION = 1
KINDS = ("product", "chain")

# Grouped by the fields' types, in the order in which they are written.
_TEXTS = ("target", "kind", "key", "mode")
_FIELDS = (
    "version",
    *_TEXTS,
    "tilings",
    "us",
    "spread",
    "samples",
    "model",
    "auto",
    "eliminated",
    "modelled_us",
    "name",
    "device",
    "driver",
    "cuda",
    "date",
)
_FLAGS = ("model", "auto", "eliminated")
_NUMBERS = ("spread", "samples", "modelled_us")
_NOTES = ("name", "device", "driver", "cuda", "date")


def _is_number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # An integer may have thousands of digits.
        return False


def _require(holds, problem):
    if not holds:
        raise ValueError(problem)


def _check_optional(line):
    for name in _FLAGS:
        _require(
            isinstance(line.get(name, False), bool),
            f"'{name}' must be true or false",
        )
    for name in _NUMBERS:
        _require(_is_number(line.get(name, 0)), f"'{name}' must be a number")
    for name in _NOTES:
        _require(
            isinstance(line.get(name), (str, type(None))),
            f"'{name}' must be text or null",
        )


def check(line):
    """Raises ValueError if `line` is not a measurement."""
    _require(isinstance(line, dict), "is no JSON object")
    version = line.get("version")
    _require(
        _is_number(version) and version == VERSION,
        f"has version {version!r:.40}, and this grout-tune reads {VERSION}"
        if "version" in line
        else f"has no version; this grout-tune reads {VERSION}",
    )
    for name in _TEXTS:
        _require(isinstance(line.get(name), str), f"'{name}' must be text")
    _require(line["kind"] in KINDS, f"unknown kind '{line['kind']}'")
    tilings = line.get("tilings")
    _require(
        isinstance(tilings, list)
        and tilings
        and all(isinstance(tiling, str) for tiling in tilings),
        "'tilings' must be a list of texts",
    )
    _require(
        line["kind"] != "product" or len(tilings) == 1,
        f"{len(tilings)} tilings for one product",
    )
    us = line.get("us")
    _require(_is_number(us) and us > 0, "'us' must be a number above 0")
    _check_optional(line)
    # A database cannot hold half of a surrogate pair.
    json.dumps(line, ensure_ascii=False).encode()


def _refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def parse(raw):
    """Returns the measurement in the bytes of a line. Raises ValueError with
    the problem if there is one."""
    try:
        line = json.loads(raw.decode(), parse_constant=_refuse_constant)
        check(line)
    except RecursionError:
        raise ValueError("nests too deeply") from None
    return line


def to_text(line):
    """Returns `line` as it is stored and exported. Equal measurements have
    equal text."""
    rest = sorted(line.keys() - set(_FIELDS))
    return json.dumps(
        {name: line[name] for name in (*_FIELDS, *rest) if name in line}
    )
