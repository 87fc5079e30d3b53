"""fake-run.py FOLDER DATABASE SOURCE: `grout-tune run` on a GPU that is none:
of each mode, the last candidate takes 1 us, those before it one more each. Of
equally fast modes the last is a little faster."""

import pathlib
import sys
import types
from unittest import mock

source = pathlib.Path(sys.argv[3])
sys.path[:0] = [
    str(source / "tools" / "grout-tune"),
    str(source / "benchmarks"),
]

import grout_runtime  # noqa: E402
import torch_device  # noqa: E402
from tests.support import Device  # noqa: E402
from tuning import artifacts, command  # noqa: E402

folder, database = map(pathlib.Path, sys.argv[1:3])
device = Device()
times = {}
for case in artifacts.load(folder).cases:
    modes = list(dict.fromkeys(item.mode for item in case.candidates))
    for mode in modes:
        items = [item for item in case.candidates if item.mode == mode]
        for i, item in enumerate(items):
            times[item.artifact] = len(items) - i - 1e-3 * modes.index(mode)


class Runtime:
    def __init__(self, path):
        pass

    def session(self, path):
        """What `run` unpacks is a file with an artifact's name."""
        us = times[path.name + ".xz"]
        if path.stat().st_size == 0:
            raise RuntimeError(f"{path} is empty")

        def run(inputs, outputs):
            device.now_us += us
            for output in outputs:
                output.value = 1.0

        return types.SimpleNamespace(run=run)


with (
    mock.patch.dict(sys.modules, {"torch": types.SimpleNamespace()}),
    mock.patch.object(torch_device, "TorchDevice", lambda *_: device),
    mock.patch.object(grout_runtime, "Runtime", Runtime),
):
    sys.exit(
        command.main(
            ["run", "--out", str(folder), "--database", str(database)],
            pathlib.Path("none"),
        )
    )
