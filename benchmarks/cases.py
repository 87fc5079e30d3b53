"""The common part of benchmarks of one kind of kernel: each case is a function
in MLIR, which is compiled anywhere, and run on the machine with the GPU."""

import argparse
import dataclasses
import math
import pathlib
import re
import statistics
import sys

import compiler
import grout_runtime


@dataclasses.dataclass(frozen=True)
class _Variant:
    mode: str = "auto"
    options: tuple = ()


def _compile(args, cases, source):
    args.out.mkdir(parents=True, exist_ok=True)
    tool = compiler.Compiler(
        args.build / "bin/grout-compile",
        args.ptxas or compiler.find_ptxas(),
        target=args.target,
    )
    failed = 0
    for case in cases:
        path = args.out / f"{case.name}.mlir"
        path.write_text(source(case))
        problem = tool.compile(path, _Variant(), path.with_suffix(".grout"))
        if problem:
            failed += 1
            print(f"{case.name}: {problem}", file=sys.stderr)
    return failed


def check_replays(torch, graph, output, count):
    """Whether replays of a graph over poisoned outputs give the same bits."""
    graph.replay()
    first = output.clone()
    for _ in range(count):
        output.fill_(math.nan)
        graph.replay()
        if not torch.equal(output, first):
            return False
    return True


def _run(name, args, cases, run_case, group):
    import torch
    from torch_device import TorchDevice

    if not torch.cuda.is_available():
        sys.exit(f"{name}: error: there is no GPU")
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 0
    device = TorchDevice(torch, args.seed)
    print(device.describe())
    runtime = grout_runtime.Runtime(
        (args.build / "lib/libGroutRuntime.so").resolve()
    )
    failed, ratios = 0, {}
    for case in cases:
        path = args.out / f"{case.name}.grout"
        if not path.exists():
            continue
        try:
            line, right, ratio = run_case(
                torch, device, runtime, case, path, args
            )
        except RuntimeError as error:
            line, right, ratio = f"{case.name}: {error}", False, math.nan
        print(line, flush=True)
        failed += not right
        if ratio > 0:
            ratios.setdefault(group(case), []).append(ratio)
    for label, known in ratios.items():
        print(
            f"{label}: geomean {statistics.geometric_mean(known):.2f}, least "
            f"{min(known):.2f}, of {len(known)} cases"
        )
    print(f"{failed} wrong")
    return failed


def main(name, description, cases, source, run_case, group):
    """Runs the benchmark `name`, and returns the exit status.

    `source` returns a case in MLIR. `run_case` measures a case, and returns a
    line, whether the result is right, and the time of the fastest peer over
    Grout's. `group` returns the label under which a case's ratio is summed up.
    """
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=["compile", "run"])
    parser.add_argument("--build", type=pathlib.Path, default="build")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument(
        "--filter",
        default="",
        metavar="REGEX",
        help="only cases in whose name this is found",
    )
    parser.add_argument("--ptxas", help="default: found")
    parser.add_argument(
        "--target",
        default="h200",
        help="the GPU to compile for; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bursts", type=int, default=9)
    parser.add_argument("--replays", type=int, default=100)
    args = parser.parse_args()
    chosen = [case for case in cases if re.search(args.filter, case.name)]
    if not chosen:
        sys.exit(f"{name}: error: no case has such a name")
    failed = (
        _compile(args, chosen, source)
        if args.command == "compile"
        else _run(name, args, chosen, run_case, group)
    )
    return 1 if failed else 0
