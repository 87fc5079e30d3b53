#!/usr/bin/env python3
"""How long compilation takes, from linalg to PTX, proof included.

  compile_time.py [--build build] [--repeat 3]

Compiles the MLP of GPT-3 (8-way tensor parallel) for an H200 at growing numbers
of tokens, on one core, and prints seconds and their ratio to the first row:
flat, because no step of the compiler enumerates tiles.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import time

from arguments import positive
from workloads import Mlp

TOKENS = [256, 1024, 4096, 16384, 65536]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="Grout's build tree")
    parser.add_argument("--repeat", type=positive(int), default=3)
    args = parser.parse_args()
    compiler = pathlib.Path(args.build) / "bin" / "grout-compile"
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    first = None
    print("     M  seconds  ratio")
    for m in TOKENS:
        source = Mlp("gpt3-175b-tp8", "f16", m, 12288, 6144, "gelu_tanh",
                     gated=False).ir()
        times = []
        for _ in range(args.repeat):
            start = time.monotonic()
            subprocess.run([compiler, "-", "--target=h200",
                            "--mode=persistent", "--no-reference",
                            "--emit=ptx", "-o", os.devnull],
                           input=source, text=True, check=True)
            times.append(time.monotonic() - start)
        seconds = statistics.median(times)
        first = first or seconds
        print(f"{m:6}  {seconds:7.2f}  {seconds / first:5.2f}", flush=True)


if __name__ == "__main__":
    main()
