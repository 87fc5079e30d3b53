#!/usr/bin/env python3
"""Compares Grout with its peers on one GPU. See benchmarks/README.md.

  bench.py compile --config benchmarks/configs/mlp.json --out DIR
  bench.py run --out DIR
  bench.py table DIR/results.json
  bench.py plot DIR/results.json -o mlp.svg
  bench.py profile --out DIR --filter='gpt3.*-m256$'

`compile` needs no GPU. `run` needs a GPU and PyTorch, and of Grout's build only
lib/libGroutRuntime.so. `profile` also needs Nsight Compute and bin/grout-run.
The other commands only need results.
"""

import argparse
import json
import pathlib
import re
import sys
import time

import compiler
import driver
import manifest
import nsight
import peers
import plot
import profiling
import report
import results
import variants
import workloads
from arguments import not_negative, pattern, positive, seed
from errors import UserError

HERE = pathlib.Path(__file__).parent


def compile_command(args):
    cases, modes, title = workloads.load_config(args.config, args.filter)
    if not cases:
        raise UserError(f"no case of {args.config} matches '{args.filter}'")
    candidates = (
        variants.load_candidates(args.variants) if args.variants else {}
    )
    ptxas = compiler.find_ptxas() if args.ptxas == "auto" else args.ptxas
    grout = compiler.Compiler(
        args.build / "bin" / "grout-compile",
        ptxas,
        args.grout_option,
        target=args.target,
    )
    refusals = compiler.compile_all(
        grout, args.out, title, cases, args.mode or modes, candidates, args.jobs
    )
    for (name, diagnostic), count in refusals.items():
        print(
            f"refused: {name}, {count} of {len(cases)} cases: {diagnostic}",
            file=sys.stderr,
        )
    return 1 if refusals and not args.keep_going else 0


def load_cases(args):
    """Returns the title of a manifest, and its entries that match the
    filter."""
    title, entries = manifest.load(args.out)
    entries = [
        entry for entry in entries if re.search(args.filter, entry[0].id)
    ]
    if not entries:
        raise UserError(f"no case in {args.out} matches '{args.filter}'")
    return title, entries


def run_command(args):
    try:
        import torch
    except ImportError as error:
        raise UserError("run needs PyTorch") from error

    import grout_runtime
    from runner import DeviceLost, Runner
    from torch_device import TorchDevice

    title, entries = load_cases(args)
    args.regimes = report.REGIMES if args.regime == "both" else [args.regime]
    device = TorchDevice(torch, args.seed)
    runtime = grout_runtime.Runtime(args.build / "lib" / "libGroutRuntime.so")
    method = {
        name: getattr(args, name)
        for name in ("bursts", "idle_ms", "sustained_seconds", "rounds", "seed")
    }
    collected = results.Results(
        args.json or args.out / "results.json",
        {"title": title, "device": device.describe(), "method": method},
    )
    start = time.monotonic()
    try:
        Runner(device, runtime, args).run(args.out, entries, collected)
    except DeviceLost as error:
        print(f"the GPU is lost after {error}", file=sys.stderr)
    print(
        f"{collected.count()} of {len(entries)} cases in "
        f"{time.monotonic() - start:.0f} s"
    )
    for missing in collected.missing_peers():
        print(f"left out: {missing}", file=sys.stderr)
    for failure in collected.failures():
        print(f"failed: {failure}", file=sys.stderr)
    complete = collected.count() == len(entries)
    return 1 if collected.failures() or not complete else 0


def profile_command(args):
    title, entries = load_cases(args)
    profiler = nsight.Profiler(
        nsight.find(args.ncu), args.warm, args.timeout_seconds
    )
    rows, problems = profiling.run(
        args, entries, profiler, lambda text: print(text, flush=True)
    )
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(
            json.dumps(
                {
                    "title": title,
                    "driver": driver.version(),
                    "warm": args.warm,
                    "rows": rows,
                    "problems": problems,
                },
                indent=1,
            )
            + "\n"
        )
    if rows:
        print(f"\n{profiling.table(rows)}")
    for problem in problems:
        print(f"failed: {problem}", file=sys.stderr)
    return 1 if problems else 0


def table_command(args):
    print(report.document(results.load(args.results), args.regime))
    return 0


def plot_command(args):
    plot.draw(results.load(args.results), args.regime, args.output)
    return 0


def iterations(text):
    return None if text == "auto" else positive(int)(text)


def names(text):
    return [name for name in text.split(",") if name]


def peer_list(text):
    try:
        return peers.parse(text)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_common(command):
    command.add_argument(
        "--build",
        type=pathlib.Path,
        default=pathlib.Path("build"),
        help="Grout's build tree",
    )
    command.add_argument(
        "--out",
        type=pathlib.Path,
        required=True,
        metavar="DIR",
        help="folder of the artifacts",
    )
    command.add_argument(
        "--filter",
        default="",
        metavar="REGEX",
        help="only cases whose name, such as gpt3-175b-tp8-m256, matches",
    )


def add_peers(command):
    command.add_argument(
        "--peers",
        type=peer_list,
        default=list(peers.DEFAULT),
        metavar="LIST",
        help=f"of {','.join(peers.ALL)}, or all; default: "
        "all but the last, which takes minutes",
    )


def add_compile(commands):
    command = commands.add_parser("compile", help="make the artifacts")
    add_common(command)
    command.add_argument(
        "--config", type=pathlib.Path, default=HERE / "configs" / "mlp.json"
    )
    command.add_argument(
        "--mode",
        action="append",
        metavar="MODE",
        help="instead of the configuration's; may be repeated",
    )
    command.add_argument(
        "--variants",
        type=pathlib.Path,
        metavar="FILE",
        help="JSON with candidates beside the plain modes; see variants.py",
    )
    command.add_argument(
        "--target",
        default="h200",
        metavar="NAME",
        help="the GPU, as grout-compile's --target takes it; "
        "default: %(default)s",
    )
    command.add_argument(
        "--grout-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="passed to grout-compile: --grout-option=--x=y",
    )
    command.add_argument(
        "--ptxas",
        default="auto",
        metavar="PATH",
        help="assembles the kernels; empty: the driver does "
        "in each session; default: the one on PATH or of the "
        "CUDA toolkit",
    )
    command.add_argument("--jobs", type=positive(int), default=2)
    command.add_argument(
        "--keep-going",
        action="store_true",
        help="succeed though something was refused",
    )
    command.set_defaults(action=compile_command)


def add_run(commands):
    command = commands.add_parser("run", help="check and time the artifacts")
    add_common(command)
    command.add_argument(
        "--json",
        type=pathlib.Path,
        metavar="FILE",
        help="results; default: results.json in --out",
    )
    command.add_argument(
        "--regime", choices=[*report.REGIMES, "both"], default="both"
    )
    add_peers(command)
    command.add_argument(
        "--torch-compile-filter",
        default="",
        type=pattern,
        metavar="REGEX",
        help="torch.compile only in cases whose name matches",
    )
    command.add_argument(
        "--torch-compile-seconds",
        type=positive(float),
        default=120.0,
        metavar="S",
        help="leave it out of a "
        "case where it takes longer to compile; default: 120",
    )
    command.add_argument(
        "--torch-compile-budget",
        type=positive(float),
        default=1800.0,
        metavar="S",
        help="of all cases together; default: 1800",
    )
    command.add_argument("--bursts", type=positive(int), default=7)
    command.add_argument("--idle-ms", type=not_negative(float), default=20.0)
    command.add_argument(
        "--iterations",
        type=iterations,
        default=None,
        metavar="N",
        help="calls in a graph; default: auto, so many that "
        "it lasts a few milliseconds",
    )
    command.add_argument(
        "--sustained-seconds",
        type=positive(float),
        default=0.3,
        metavar="S",
        help="of each turn",
    )
    command.add_argument(
        "--rounds",
        type=positive(int),
        default=2,
        help="turns of each variant, sustained",
    )
    command.add_argument(
        "--replays",
        type=not_negative(int),
        default=0,
        metavar="N",
        help="also replay a graph so often with poisoned "
        "intermediates, and compare all bits",
    )
    command.add_argument("--seed", type=seed, default=0)
    command.add_argument(
        "--timeout-seconds",
        type=positive(float),
        default=60.0,
        metavar="S",
        help="end when one step of a case takes longer",
    )
    command.set_defaults(action=run_command)


def add_profile(commands):
    command = commands.add_parser(
        "profile", help="what Nsight Compute sees of each kernel"
    )
    add_common(command)
    command.add_argument(
        "--variants",
        type=names,
        default=["auto"],
        metavar="LIST",
        help="of those in the manifest; default: auto",
    )
    add_peers(command)
    command.add_argument(
        "--warm",
        action="store_true",
        help="leave caches as they are; otherwise ncu flushes "
        "them before each of its passes",
    )
    command.add_argument(
        "--ncu",
        metavar="PATH",
        help="default: the one on PATH or of the CUDA toolkit",
    )
    command.add_argument(
        "--json",
        type=pathlib.Path,
        metavar="FILE",
        help="write all figures, too",
    )
    command.add_argument("--seed", type=seed, default=0)
    command.add_argument(
        "--timeout-seconds",
        type=positive(float),
        default=120.0,
        metavar="S",
        help="give up a program that takes longer",
    )
    command.set_defaults(action=profile_command)


def add_reports(commands):
    table = commands.add_parser("table", help="print results as Markdown")
    table.set_defaults(action=table_command)
    drawing = commands.add_parser("plot", help="draw results as SVG")
    drawing.add_argument("-o", "--output", type=pathlib.Path, required=True)
    drawing.set_defaults(action=plot_command)
    for command in (table, drawing):
        command.add_argument("results", type=pathlib.Path, metavar="JSON")
        command.add_argument("--regime", choices=report.REGIMES, default="cool")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_compile(commands)
    add_run(commands)
    add_profile(commands)
    add_reports(commands)
    args = parser.parse_args()
    try:
        return args.action(args)
    except (OSError, UserError) as error:
        print(f"bench.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
