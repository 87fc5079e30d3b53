#!/usr/bin/env python3
"""Measures the time and the memory of compilation, from linalg to PTX,
including the proof.

  compile_time.py [--build build] [--repeat 3]

Compiles for an H200, on one core: the MLP of GPT-3 (8-way tensor parallel) at
growing numbers of tokens, which should take the same time, since no step of the
compiler enumerates tiles; chains of 64 and 128 GEMMs; and graphs of 100 and 400
elementwise operators. Prints the median of seconds, its ratio to the median of
the group's first row, and the most memory that the compiler held.
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
PRODUCTS = [64, 128]
OPERATORS = [100, 400]


def mlp(tokens):
    return Mlp(
        "gpt3-175b-tp8", "f16", tokens, 12288, 6144, "gelu_tanh", gated=False
    ).ir()


def products(count):
    """Returns a chain of `count` GEMMs: each reads the result of the one
    before."""
    x, w = "tensor<256x512xf16>", "tensor<512x512xf16>"
    lines = [
        f"func.func @products(%x0: {x}, %w: {w}) -> {x} {{",
        "  %zero = arith.constant 0.0 : f16",
        f"  %empty = tensor.empty() : {x}",
        f"  %init = linalg.fill ins(%zero : f16) outs(%empty : {x}) -> {x}",
    ]
    lines += [
        f"  %x{i + 1} = linalg.matmul ins(%x{i}, %w : {x}, {w}) "
        f"outs(%init : {x}) -> {x}"
        for i in range(count)
    ]
    return "\n".join([*lines, f"  return %x{count} : {x}", "}"])


def operators(count):
    """Returns `count` elementwise additions and multiplications, in turns. Each
    reads the result of the one before."""
    x = "tensor<1024x1024xf32>"
    lines = [
        f"func.func @operators(%x0: {x}, %y: {x}) -> {x} {{",
        f"  %empty = tensor.empty() : {x}",
    ]
    lines += [
        f"  %x{i + 1} = linalg.{('add', 'mul')[i % 2]} ins(%x{i}, %y : "
        f"{x}, {x}) outs(%empty : {x}) -> {x}"
        for i in range(count)
    ]
    return "\n".join([*lines, f"  return %x{count} : {x}", "}"])


def compile_once(compiler, source, mode):
    """Returns the seconds of a compilation, and the compiler's peak of memory
    in MiB."""
    start = time.monotonic()
    process = subprocess.Popen(
        [
            compiler,
            "-",
            "--target=h200",
            f"--mode={mode}",
            "--no-reference",
            "--emit=ptx",
            "-o",
            os.devnull,
        ],
        stdin=subprocess.PIPE,
    )
    process.stdin.write(source.encode())
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{compiler} failed: {process.returncode}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def measure(compiler, rows, mode, repeat):
    """Prints the figures of a group of (name, source)."""
    first = None
    for name, source in rows:
        runs = [compile_once(compiler, source, mode) for _ in range(repeat)]
        seconds = statistics.median(run[0] for run in runs)
        first = first or seconds
        memory = max(run[1] for run in runs)
        print(
            f"{name:24}  {seconds:7.2f}  {seconds / first:5.2f}  {memory:5.0f}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--build", default="build", help="Grout's build tree")
    parser.add_argument("--repeat", type=positive(int), default=3)
    args = parser.parse_args()
    compiler = pathlib.Path(args.build) / "bin" / "grout-compile"
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'':24}  seconds  ratio    MiB")
    measure(
        compiler,
        [(f"MLP, {m} tokens", mlp(m)) for m in TOKENS],
        "persistent",
        args.repeat,
    )
    measure(
        compiler,
        [(f"{n} products", products(n)) for n in PRODUCTS],
        "auto",
        args.repeat,
    )
    measure(
        compiler,
        [(f"{n} elementwise operators", operators(n)) for n in OPERATORS],
        "auto",
        args.repeat,
    )


if __name__ == "__main__":
    main()
