#!/usr/bin/env python3
"""Measures the GPU memory that models need beside their weights: with eager,
torch.compile and Grout.

  python benchmarks/torch_memory.py [--only 'sam|vit'] [--dtype f16]

The models are those of torch_real_models.py. Each way to run a model has a
process of its own. After three calls, the process prints, in MiB: the weights;
the most that another call takes from PyTorch's allocator; and the memory that
the process holds outside of the allocator between calls, less the memory that
PyTorch's context took before the model was compiled. Exits with 1 if a model
has failed.
"""

import argparse
import gc
import re
import subprocess
import sys

import torch
from torch.utils._pytree import tree_map_only
from torch_real_models import DTYPES, model_check, models

WAYS = {"eager": None, "torch.compile": "inductor", "grout": "grout"}
MIB = 2**20


def free():
    """Returns the bytes of the GPU that are free, or held by PyTorch's
    allocator."""
    return torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved()


def measure(name, way, dtype):
    model, args = model_check.make(models.REAL[name], DTYPES[dtype][0])
    model = model.cuda()
    args = tree_map_only(torch.Tensor, torch.Tensor.cuda, args)
    # This makes PyTorch's libraries allocate their memory.
    half = torch.zeros(64, 64, device="cuda", dtype=torch.float16)
    torch.mm(half, half)
    before = free()
    call = (
        torch.compile(model, backend=WAYS[way], dynamic=False)
        if WAYS[way]
        else model
    )
    with torch.no_grad():
        for _ in range(3):
            call(*args)
        torch.cuda.synchronize()
        gc.collect()
        torch.cuda.empty_cache()
        weights = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call(*args)
        torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated() - weights
    print(
        f"{name} {way}: weights {weights / MIB:.0f} MiB, peak of a call "
        f"{peak / MIB:.1f} MiB, held outside of the allocator "
        f"{(before - free()) / MIB:.1f} MiB",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        metavar="REGEX",
        type=re.compile,
        default=re.compile(""),
        help="models by their names",
    )
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--way", choices=WAYS, help="only this one")
    args = parser.parse_args()
    names = [
        name
        for name, model in models.REAL.items()
        if "h200" in model.targets and args.only.search(name)
    ]
    if not names:
        parser.error(
            f"no model is called {args.only.pattern}; there are "
            + ", ".join(models.REAL)
        )
    if args.way and len(names) == 1:
        measure(names[0], args.way, args.dtype)
        return
    failed = [
        (name, way)
        for name in names
        for way in ([args.way] if args.way else WAYS)
        if subprocess.run(
            [
                sys.executable,
                __file__,
                "--only",
                f"^{name}$",
                "--dtype",
                args.dtype,
                "--way",
                way,
            ],
            check=False,
        ).returncode
    ]
    for name, way in failed:
        print(f"{name} {way}: failed", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
