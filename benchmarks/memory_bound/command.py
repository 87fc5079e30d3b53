"""The command line."""

import argparse
import os
import pathlib
import re
import sys
import time

from arguments import pattern, positive
from compiler import find_ptxas
from errors import UserError

from memory_bound.names import AUTO, EAGER, PEERS, TORCH_COMPILE, VARIANTS

_DESCRIPTION = """\
Memory-bound operators as kernels of Grout, beside torch.compile, a copy of as
many bytes, and other schedules of Grout's own.

  memory.py compile --out out                              # anywhere, with Grout's build
  memory.py compile --out out --table akg-gpu-ops.csv      # and 100 random rows of AKG's table
  memory.py run --out out                                  # where the GPU is
  memory.py report out/results.json                        # Markdown, as run prints it

Variants: auto, as grout-compile has it; none, isl's schedule without a
constraint tree; akg, the tree of AKG's greedy policy; none-tree and akg-tree,
the same of the kernels that auto has. What grout-compile refuses is in the
table with the reason.

Each call is a CUDA graph of one operator; before it 512 MB are written, so that
nothing is left in the cache. All results, those of peers too, are compared with
PyTorch's in f64; run exits with 1 if one is wrong.

A run can be split: --shard=1/3, 2/3 and 3/3, each with a --json of its own, and
report joins the files.
"""


def say(text):
    print(text, flush=True)


def matching(cases, args):
    chosen = [case for case in cases if re.search(args.filter, case.name)]
    if not chosen:
        raise UserError(f"no operator has a name that matches '{args.filter}'")
    return chosen


def read_table(path):
    from operators import table

    if not path.exists():
        raise UserError(f"there is no file {path}")
    return table.read(path)


def compile_command(args):
    from compiler import Compiler

    from memory_bound import cases, compiling, manifest

    chosen = cases.named() if args.named else []
    if args.table:
        chosen += cases.draw(read_table(args.table), args.rows, args.seed)
    elif not args.named:
        raise UserError("--no-named leaves nothing without --table")
    args.out.mkdir(parents=True, exist_ok=True)
    entries = compiling.compile_cases(
        Compiler(
            args.build / "bin" / "grout-compile",
            find_ptxas(),
            seconds=args.seconds,
            target=args.target,
        ),
        args.out,
        matching(chosen, args),
        args.variants,
        args.jobs,
        say,
    )
    manifest.save(args.out, entries)
    made = [
        args.out / variant["artifact"]
        for _, variants in entries
        for variant in variants.values()
        if "artifact" in variant
    ]
    total = len(entries) * len(args.variants)
    say(
        f"{len(made)} artifacts of {total}, "
        f"{sum(path.stat().st_size for path in made) / 1e6:.1f} MB"
    )
    # Grout takes all that are named; what it refuses of the table is a result.
    return (
        1
        if any(
            case.group == cases.NAMED and "refused" in variants.get(AUTO, {})
            for case, variants in entries
        )
        else 0
    )


def load_entries(args):
    from memory_bound import manifest

    entries = [
        (case, variants)
        for case, variants in manifest.load(args.out)
        if re.search(args.filter, case.name)
    ]
    if not entries:
        raise UserError(f"no operator has a name that matches '{args.filter}'")
    number, count = args.shard
    return entries[number - 1 :: count]


def run_command(args):
    from memory_bound import torch_compile

    torch_compile.prepare()
    try:
        import torch
    except ImportError as error:
        raise UserError(f"run needs PyTorch: {error}") from error
    if not torch.cuda.is_available():
        raise UserError("run needs a GPU, and PyTorch sees none")
    import grout_runtime
    import results
    from torch_device import TorchDevice

    from memory_bound import measuring, report

    entries = load_entries(args)
    peer = None
    if TORCH_COMPILE in args.peers:
        peer = torch_compile.Peer(torch, args.torch_compile_budget, say)
        peer.fill(
            args.out,
            [case.name for case, _ in entries],
            args.torch_compile_jobs,
        )
    device = TorchDevice(torch, args.seed)
    path = args.json or args.out / "results.json"
    collected = results.Results(
        path,
        {
            "device": device.describe(),
            "samples": args.samples,
            "seed": args.seed,
        },
    )
    bench = measuring.Measuring(
        torch,
        device,
        grout_runtime.Runtime(args.build / "lib" / "libGroutRuntime.so"),
        args.out,
        args.samples,
        args.seed,
        peer,
        EAGER in args.peers,
    )
    start, lost = time.monotonic(), ""
    for number, (case, variants) in enumerate(entries, 1):
        try:
            row = bench.measure(case, variants)
        except RuntimeError as error:
            lost = f"{case.name}: {error}"
            break
        collected.add(row)
        say(
            f"[{number}/{len(entries)}] {time.monotonic() - start:.0f} s "
            + report.line(row)
        )
    rows = report.load([path])
    say(f"\n{report.document(rows)}" if rows else "")
    problems = report.wrong(rows) + ([f"ended by {lost}"] if lost else [])
    for problem in problems:
        print(f"failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def report_command(args):
    from memory_bound import report

    rows = report.load(args.results)
    say(report.document(rows))
    problems = report.wrong(rows)
    for problem in problems:
        print(f"failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def choice(known):
    """A list of some of `known`, in their order."""

    def parse(text):
        names = [name for name in text.split(",") if name]
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f"'{name}' is none of {', '.join(known)}"
                )
        return [name for name in known if name in names]

    return parse


def shard(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is not such as 1/3")
    return int(match[1]), int(match[2])


def add_compile(commands, common):
    command = commands.add_parser(
        "compile", parents=[common], help="write IR and artifacts"
    )
    command.add_argument(
        "--table",
        type=pathlib.Path,
        metavar="FILE",
        help="AKG's operators, akg-gpu-ops.csv: also rows of "
        "it, at random among those that can be rebuilt",
    )
    command.add_argument(
        "--rows",
        type=positive(int),
        default=100,
        metavar="N",
        help="so many rows; default: 100",
    )
    command.add_argument(
        "--seed",
        type=int,
        default=0,
        help="which rows; with another N, but the same seed, "
        "the first are the same; default: 0",
    )
    command.add_argument(
        "--no-named",
        dest="named",
        action="store_false",
        help="only rows of the table",
    )
    command.add_argument(
        "--variants",
        type=choice(VARIANTS),
        default=list(VARIANTS),
        metavar="LIST",
        help=f"default: {','.join(VARIANTS)}",
    )
    command.add_argument(
        "--target",
        default="h200",
        metavar="NAME",
        help="the GPU, as grout-compile's --target takes it; "
        "default: %(default)s",
    )
    command.add_argument(
        "--seconds",
        type=positive(float),
        default=60.0,
        metavar="S",
        help="what takes longer to compile is refused; default: 60",
    )
    command.add_argument(
        "--jobs",
        type=positive(int),
        metavar="N",
        default=len(os.sched_getaffinity(0)),
        help="compilers side by side; default: %(default)s",
    )
    command.set_defaults(run=compile_command)


def add_run(commands, common):
    command = commands.add_parser(
        "run", parents=[common], help="check results, and measure"
    )
    command.add_argument(
        "--samples",
        type=positive(int),
        default=15,
        help="calls of each; the median counts; default: 15",
    )
    command.add_argument(
        "--seed",
        type=int,
        default=0,
        help="of the data of named operators; default: 0",
    )
    command.add_argument(
        "--peers",
        type=choice(PEERS),
        default=[TORCH_COMPILE],
        metavar="LIST",
        help="of torch.compile,torch (PyTorch without it); "
        "default: torch.compile; empty: none",
    )
    command.add_argument(
        "--torch-compile-budget",
        type=positive(float),
        default=300.0,
        metavar="S",
        help="leave torch.compile "
        "out of the operators for which it had no time after "
        "so long; default: 300",
    )
    command.add_argument(
        "--torch-compile-jobs",
        type=positive(int),
        metavar="N",
        default=len(os.sched_getaffinity(0)),
        help="processes that compile, before anything is "
        "timed; default: %(default)s",
    )
    command.add_argument(
        "--shard",
        type=shard,
        default=(1, 1),
        metavar="I/N",
        help="only every N-th operator, from the I-th",
    )
    command.add_argument(
        "--json",
        type=pathlib.Path,
        metavar="FILE",
        help="results, complete after each operator; default: "
        "results.json in --out",
    )
    command.set_defaults(run=run_command)


def main(argv):
    parser = argparse.ArgumentParser(
        prog="memory.py",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND"
    )
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--build",
        type=pathlib.Path,
        default="build",
        help="where Grout was built; default: build",
    )
    common.add_argument(
        "--out",
        type=pathlib.Path,
        default="operators",
        help="folder of the artifacts; default: operators",
    )
    common.add_argument(
        "--filter",
        type=pattern,
        default="",
        metavar="REGEX",
        help="only operators with a name that matches",
    )
    add_compile(commands, common)
    add_run(commands, common)
    report = commands.add_parser("report", help="print results as Markdown")
    report.add_argument(
        "results",
        type=pathlib.Path,
        nargs="+",
        metavar="JSON",
        help="what run wrote; of several runs, no operator twice",
    )
    report.set_defaults(run=report_command)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except (OSError, UserError) as error:
        print(f"memory.py: error: {error}", file=sys.stderr)
        return 1
