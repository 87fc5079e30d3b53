"""Runs what Grout compiles for the CPU."""

import re

import numpy as np

from emulated import native


def run(tools, source, folder, inputs, options=(), check=False):
    """The results. With `check`, grout-run must find them right, too, if it has
    a reference."""
    artifact = folder / "cpu.grout"
    native.call(
        [tools.compiler, source, "--target=cpu", *options, "-o", artifact],
        may_refuse=True,
    )
    info = native.call([tools.runner, artifact, "--info"])
    command = [
        tools.runner,
        artifact,
        "--device=cpu",
        "--workers=3",
        "--poison",
        "--bf16-as-uint16",
    ]
    if check and re.search("^reference plan", info, re.M):
        command.append("--check")
    for name, array in zip(names("input", info), inputs):
        np.save(folder / f"{name}.npy", array)
        command += ["--input", f"{name}={folder / name}.npy"]
    outputs = names("output", info)
    for name in outputs:
        command += ["--output", f"{name}={folder / name}.out.npy"]
    native.call(command)
    return [np.load(folder / f"{name}.out.npy") for name in outputs]


def names(kind, info):
    """Of the inputs or outputs that grout-run --info prints."""
    return re.findall(rf"^\s*{kind} (\w+)", info, re.M)
