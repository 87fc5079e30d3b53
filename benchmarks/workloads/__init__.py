"""The kinds of workload. A new kind is a module here and a line in KINDS."""

import re

import json_files
from errors import UserError

from workloads.block import Block
from workloads.gemm import Gemm
from workloads.mlp import Mlp

KINDS = {"block": Block, "gemm": Gemm, "mlp": Mlp}
DEFAULT_MODES = ["serial", "pdl", "overlap", "persistent", "auto"]


def kind_of(case):
    """The name under which the case's class is in KINDS."""
    return next(name for name, kind in KINDS.items() if type(case) is kind)


def from_description(description):
    """The case that `describe` described."""
    fields = dict(description)
    return KINDS[fields.pop("kind")](**fields)


def describe(case):
    """The case as JSON."""
    return {"kind": kind_of(case), **case.fields()}


def load_config(path, pattern=""):
    """The cases of a configuration whose names match, its modes and title."""
    config = json_files.read(path)
    cases = []
    with json_files.naming(path):
        title, modes = config["title"], config.get("modes", DEFAULT_MODES)
        for entry in config["cases"]:
            entry = dict(entry)
            kind = entry.pop("kind")
            if kind not in KINDS:
                raise UserError(
                    f"{path}: unknown kind '{kind}'; kinds are: "
                    f"{', '.join(KINDS)}"
                )
            cases += KINDS[kind].cases(entry)
    names = [case.id for case in cases]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"{path}: there are two cases {name}")
    return (
        [case for case in cases if re.search(pattern, case.id)],
        modes,
        title,
    )
