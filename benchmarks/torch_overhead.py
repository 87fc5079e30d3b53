#!/usr/bin/env python3
"""Measures the time of the host for a call of a PyTorch model: eager,
torch.compile and Grout, the latter two also with CUDA graphs, and Grout's
packages.

  python benchmarks/torch_overhead.py [--only NAME] [--calls 20]

The models and checks are those of torch_models.py. Calls are issued without
waiting for the GPU. Prints microseconds per call (the best of 10 rounds) and,
for packages in a CUDA graph, the time beside the launch of that graph.
"""

import argparse
import copy
import os
import pathlib
import tempfile
import time

import torch
from torch_models import MODELS, make

import grout

MODES = ("default", "reduce-overhead")


def host_time(function, calls):
    """Returns the microseconds of one call."""
    best = float("inf")
    for _ in range(10):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        best = min(best, (time.perf_counter() - begin) / calls)
    return best * 1e6


def ways_of(model, x, folder):
    """Yields names, and functions without arguments."""

    def compiled(backend, mode):
        function = torch.compile(
            copy.deepcopy(model), backend=backend, mode=mode
        )

        def call():
            # Without this mark, graphs keep the results of earlier calls, and
            # are recorded again.
            torch.compiler.cudagraph_mark_step_begin()
            return function(x)

        return call if mode == "reduce-overhead" else lambda: function(x)

    yield "eager", lambda: model(x)
    for backend in ("inductor", "grout"):
        for mode in MODES:
            yield f"{backend} {mode}", compiled(backend, mode)
    path = folder / "model.gpkg"
    grout.export(model, (x,), path)
    package = grout.load(path)
    yield "package", lambda: package(x)
    replayed = grout.load(path, cuda_graph=True)
    yield "package cuda_graph", lambda: replayed(x)
    (buffer,) = replayed.buffers
    buffer.copy_(x)
    yield "package cuda_graph buffers", lambda: replayed(buffer)
    yield "launch of that graph", replayed.cuda_graph.replay


def run(name, calls, folder):
    torch._dynamo.reset()
    model, x, wanted = make(name, torch.float16)
    times = {}
    for way, function in ways_of(model, x, folder):
        for _ in range(3):
            y = function()
        if y is not None:
            error = ((y - wanted).abs().max() / wanted.abs().max()).item()
            if not error < 2e-2:
                raise SystemExit(f"{name}: {way} is wrong")
        del y
        times[way] = host_time(function, calls)
        print(f"{name} {way}: {times[way]:.1f} us", flush=True)
    beside = times["package cuda_graph buffers"] - times["launch of that graph"]
    print(f"{name}: beside the launch of the graph {beside:.1f} us", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", choices=MODELS)
    parser.add_argument(
        "--calls",
        type=int,
        default=20,
        help="between two waits for the GPU; default: 20",
    )
    args = parser.parse_args()
    print(torch.cuda.get_device_name(), torch.__version__)
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        for name in args.only or MODELS:
            run(name, args.calls, pathlib.Path(folder))


if __name__ == "__main__":
    main()
