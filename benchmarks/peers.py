"""The peers with which Grout is compared, all in CUDA graphs: PyTorch's matmul,
which is cuBLAS, with PyTorch's operators between; fused or concatenated forms
that a kind of workload has; and torch.compile."""

import torch_compile
from errors import UserError

DEFAULT = ("cublas", "cublas-fused", "cublas-concat")
ALL = (*DEFAULT, torch_compile.NAME)


def parse(text):
    """Returns the names in a list with commas, which may be empty."""
    if text == "all":
        return list(ALL)
    names = [name for name in text.split(",") if name]
    if unknown := set(names) - set(ALL):
        raise UserError(
            f"unknown peers {sorted(unknown)}; known are {', '.join(ALL)}"
        )
    return names


def names_of(case, names):
    """Returns those of `names` that the case has."""
    known = {
        "cublas",
        torch_compile.NAME,
        *case.special_peers(None, None, None),
    }
    return [name for name in names if name in known]


def make(device, case, names, x, weights, compiler):
    """Maps the name of each peer that the case has to a function that makes the
    peer. `compiler` is a TorchCompile."""
    every = {
        "cublas": lambda: lambda: case.plain(device.torch, x, weights),
        **case.special_peers(device.torch, x, weights),
    }
    if compiler.takes(case):
        every[torch_compile.NAME] = lambda: compiler.make(case, x, weights)
    return {name: every[name] for name in names if name in every}
