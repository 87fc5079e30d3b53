"""manifest.json: the artifacts that `compile` made. `run` needs nothing else.

{"title": ..., "cases": [{"case": a description of workloads,
                          "variants": {name: {"artifact": file name},
                                       name: {"refused": diagnostic}}}]}
"""

import json

import workloads
from errors import UserError

NAME = "manifest.json"


def save(folder, title, entries):
    """Writes a manifest. `entries` are pairs of a case and its variants."""
    content = {
        "title": title,
        "cases": [
            {"case": workloads.describe(case), "variants": variants}
            for case, variants in entries
        ],
    }
    (folder / NAME).write_text(json.dumps(content, indent=1) + "\n")


def load(folder):
    """Returns the title and the entries of a manifest."""
    path = folder / NAME
    if not path.exists():
        raise UserError(f"{path} is missing; bench.py compile writes it")
    content = json.loads(path.read_text())
    return content["title"], [
        (workloads.from_description(item["case"]), item["variants"])
        for item in content["cases"]
    ]
