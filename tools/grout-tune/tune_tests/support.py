"""Stand-ins for a compiler and a GPU."""

import contextlib
import io
import json
import lzma
import re
import sys
import types
from unittest import mock

import grout_runtime
import torch_device
from tests.support import Device
from tuning import command

KEY = "64x128x256 f16->f16"

LINE = {
    "version": 1,
    "target": "h200",
    "kind": "product",
    "key": "k",
    "mode": "serial",
    "tilings": ["<m = 64>"],
    "us": 5.0,
}


def tiling(m):
    return f"<m = {m}>"


def candidate(m, us, cluster=(1, 1, 1), forms=(0,)):
    return {
        "tiling": tiling(m),
        "us": us,
        "bound": "products",
        "parts": {},
        "rows": m,
        "cluster": list(cluster),
        "stream_k": 1,
        "swap_ab": False,
        "forms": list(forms),
    }


def product(key, candidates, choice, name="p"):
    return {
        "name": name,
        "key": key,
        "flops": 1e9,
        "inputs": [
            {"shape": [64, 256], "type": "f16"},
            {"shape": [256, 128], "type": "f16"},
        ],
        "outputs": [{"shape": [64, 128], "type": "f16"}],
        "source": f"// {name}\n",
        "choice": choice,
        "candidates": candidates,
    }


def function(products, choices, auto="pdl", name="f"):
    return {
        "name": name,
        "key": "; ".join(p["key"] for p in products),
        "flops": 2e9,
        "inputs": products[0]["inputs"],
        "outputs": products[-1]["outputs"],
        "source": f"// {name}\n",
        "auto": auto,
        "choices": choices,
        "products": products,
    }


# With --list-tilings, prints the list beside its input. Otherwise refuses
# tiles of 13 rows, and writes the mode and the source.
COMPILER = """\
#!{python}
import pathlib, sys
source, *options = sys.argv[1:]
source = pathlib.Path(source)
for option in options:
    if option.startswith("--list-tilings="):
        list_ = source.with_suffix(".list")
        if not list_.exists():
            sys.exit(f"{{source}}:1:1: error: no list")
        print(list_.read_text())
        sys.exit(0)
if "m = 13>" in source.read_text():
    sys.exit(f"{{source}}:1:1: error: no tile of 13 rows")
mode = next(o for o in options if o.startswith("--mode="))[len("--mode="):]
pathlib.Path(options[-1]).write_text(f"{{mode}}\\n{{source.read_text()}}")
"""


def write_compiler(build):
    program = build / "bin" / "grout-compile"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(COMPILER.format(python=sys.executable))
    program.chmod(0o755)


def write_list(path, functions):
    path.write_text("func.func ...\n")
    path.with_suffix(".list").write_text(
        json.dumps({"version": 1, "target": "h200", "functions": functions})
    )


def artifact_text(folder, name):
    return lzma.decompress((folder / name).read_bytes()).decode()


class Runtime:
    """Runs the stand-in's artifacts. `behaviour` gets the mode, the tilings'
    rows, the device and the number of earlier runs, and returns the result."""

    def __init__(self, device, behaviour):
        self._device = device
        self._behaviour = behaviour

    def session(self, path):
        mode, text = path.read_text().split("\n", 1)
        rows = [int(m) for m in re.findall(r"#tgemm\.tiling<m = (\d+)>", text)]
        runs = 0

        def run(inputs, outputs):
            nonlocal runs
            for output in outputs:
                output.value = self._behaviour(mode, rows, self._device, runs)
            runs += 1

        return types.SimpleNamespace(run=run)


def takes(times):
    """Returns a behaviour with right results. `times` has microseconds for the
    rows of the first tiling."""

    def behaviour(mode, rows, device, runs):
        device.now_us += times[rows[0]]
        return 1.0

    return behaviour


def tune(*arguments, behaviour=None, build="build", device=None):
    """Returns exit status, standard output and standard error of the tool."""
    device = device or Device()
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(sys.modules, {"torch": types.SimpleNamespace()}),
        mock.patch.object(
            torch_device, "TorchDevice", lambda torch, seed: device
        ),
        mock.patch.object(
            grout_runtime, "Runtime", lambda path: Runtime(device, behaviour)
        ),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = command.main(list(map(str, arguments)), build)
    return status, out.getvalue(), err.getvalue()
