"""results.json: the measurements of `run`. The file is complete after each
case."""

import json
import os
import pathlib


class Results:
    """Rows of results, and the header that they have in common."""

    def __init__(self, path, header):
        self._path = pathlib.Path(path)
        self._content = {**header, "rows": []}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._save()

    def add(self, row):
        self._content["rows"].append(row)
        self._save()

    def _save(self):
        # If the process is killed while it writes, the previous file stays
        # whole.
        beside = self._path.with_name(self._path.name + ".new")
        beside.write_text(json.dumps(self._content, indent=1) + "\n")
        os.replace(beside, self._path)

    def count(self):
        return len(self._content["rows"])

    def failures(self):
        return self._problems("failed", ("peer", "grout"))

    def missing_peers(self):
        return self._problems("refused", ("peer",))

    def _problems(self, problem, groups):
        return [
            f"{row['id']} {name}: {variant[problem]}"
            for row in self._content["rows"]
            for name, variant in row["variants"].items()
            if problem in variant and variant["group"] in groups
        ]


def load(path):
    return json.loads(pathlib.Path(path).read_text())
