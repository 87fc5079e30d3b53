"""manifest.json: what `memory.py compile` made, for `run`.

{"cases": [{"name": ..., "group": ..., "case": a description,
            "variants": {name: {"artifact": file name},
                         name: {"refused": diagnostic}}}]}
"""

import json

from errors import UserError

from memory_bound import cases

NAME = "manifest.json"


def save(folder, entries):
    """`entries` are pairs of a case and its variants."""
    content = {
        "cases": [
            {
                "name": case.name,
                "group": case.group,
                "case": case.describe(),
                "variants": variants,
            }
            for case, variants in entries
        ]
    }
    (folder / NAME).write_text(json.dumps(content) + "\n")


def load(folder):
    """The entries."""
    path = folder / NAME
    if not path.exists():
        raise UserError(f"{path} is missing; memory.py compile writes it")
    return [
        (
            cases.from_description(item["name"], item["group"], item["case"]),
            item["variants"],
        )
        for item in json.loads(path.read_text())["cases"]
    ]
