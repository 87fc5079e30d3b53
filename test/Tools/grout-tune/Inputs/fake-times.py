"""fake-times.py FOLDER DATABASE SOURCE: fills a database with times of what is
in a folder: the last candidate of each mode takes 1 us, those before it one
more each. Of equally fast modes the last is a little faster."""

import pathlib
import sys

source = pathlib.Path(sys.argv[3])
sys.path[:0] = [str(source / "tools" / "grout-tune"),
                str(source / "benchmarks")]

from tuning import artifacts, database  # noqa: E402

folder, path = map(pathlib.Path, sys.argv[1:3])
manifest = artifacts.load(folder)
filled = database.Database(path, sys.exit)
for case in manifest.cases:
    lines = []
    modes = list(dict.fromkeys(item.mode for item in case.candidates))
    for mode in modes:
        items = [item for item in case.candidates if item.mode == mode]
        lines += [{"version": database.VERSION, "target": manifest.target,
                   "kind": case.kind, "key": case.key, "mode": mode,
                   "tilings": item.tilings,
                   "us": len(items) - i - 1e-4 * modes.index(mode),
                   "name": case.name, "model": item.model, "auto": item.auto}
                  for i, item in enumerate(items)]
    filled.add(lines)
