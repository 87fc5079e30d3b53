"""A folder of artifacts: a file for each row that compiles, and a manifest of
all rows with their graphs, for `akg.py gpu`, which needs nothing else."""

import json
import pathlib
from typing import NamedTuple

from errors import UserError

from operators import stored

MANIFEST = "manifest.json"


class Entry(NamedTuple):
    """A row; `graph` only if there is an artifact."""

    label: str
    kind: str
    status: str
    reason: str
    graph: object


def path(folder, label):
    return pathlib.Path(folder) / f"{label}.grout"


def save(folder, outcomes):
    content = [
        [
            outcome.row.label,
            outcome.row.kind,
            outcome.status,
            outcome.reason,
            outcome.graph and stored.to_json(outcome.graph),
        ]
        for outcome in outcomes
    ]
    (pathlib.Path(folder) / MANIFEST).write_text(json.dumps(content) + "\n")


def load(folder):
    file = pathlib.Path(folder) / MANIFEST
    if not file.exists():
        raise UserError(f"{file} is missing; akg.py compile --out writes it")
    return [
        Entry(*entry, graph and stored.from_json(graph))
        for *entry, graph in json.loads(file.read_text())
    ]
