"""The variants of a case that are compiled: its modes, and a developer's own
candidates.

A file of candidates maps names to differences:

    {"t128x192": ["<m = 128, n = 192, k = 64, stages = 5>", null],
     "row": {"tilings": [...], "options": ["--granularity=row"],
             "modes": ["persistent"], "cases": "gpt3.*-m(256|512)$"}}

A list is the tilings alone: for each GEMM of the chain, the text after
`#tgemm.tiling`, or null if the compiler chooses. All keys of an object are
optional; "cases" is a regular expression for the names of cases.
"""

import dataclasses
import re

import json_files
from errors import UserError


@dataclasses.dataclass(frozen=True)
class Variant:
    """A variant of a case. `name` is a column of tables; `source` names the IR
    that it compiles."""

    name: str
    mode: str
    source: str = ""
    tilings: tuple = None
    options: tuple = ()


def load_candidates(path):
    known = {"tilings", "options", "modes", "cases"}
    candidates = {}
    found = json_files.read(path)
    with json_files.naming(path):
        for name, value in found.items():
            if not re.fullmatch(r"[\w.+-]+", name):
                raise UserError(
                    f"{path}: '{name}' is no name of a candidate; it "
                    "has letters, digits and _ . + - only"
                )
            value = {"tilings": value} if isinstance(value, list) else value
            if unknown := set(value) - known:
                raise UserError(
                    f"{path}: {name} has {sorted(unknown)}; known are "
                    f"{sorted(known)}"
                )
            candidates[name] = value
    return candidates


def variants_of(case, modes, candidates):
    """Returns the plain modes first, and then the candidates, each in its
    modes."""
    result = [Variant(mode, mode) for mode in modes]
    for name, candidate in candidates.items():
        if not re.search(candidate.get("cases", ""), case.id):
            continue
        tilings = candidate.get("tilings")
        if tilings is not None and len(tilings) != case.num_products:
            raise UserError(
                f"candidate {name} has {len(tilings)} tilings, and {case.id} "
                f"has {case.num_products} products"
            )
        result += [
            Variant(
                f"{mode}@{name}",
                mode,
                "" if tilings is None else name,
                None if tilings is None else tuple(tilings),
                tuple(candidate.get("options", ())),
            )
            for mode in candidate.get("modes", modes)
        ]
    return result
