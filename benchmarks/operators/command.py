"""The command line."""

import argparse
import os
import pathlib
import re
import sys
import time

from arguments import positive
from compiler import find_ptxas
from errors import UserError

_DESCRIPTION = """\
Memory-bound operators of MindSpore AKG's test suite as linalg on tensors. The
table of them, akg-gpu-ops.csv, is no part of Grout: it has the columns
network,level,name,kind,ops,inputs,outputs.

  akg.py check akg-gpu-ops.csv --jobs 4

makes a function of each row, verifies it, runs it with smaller extents after
upstream MLIR's passes, compares its results with NumPy's, and prints a table by
kind. It exits with 1 if a function is wrong; rows that are refused are counted
by reason.

  akg.py check akg-gpu-ops.csv --backend grout --grout build/bin

does so after Grout's passes, which compile the extents of the table, too;

  akg.py compile akg-gpu-ops.csv --target h200 --grout build/bin

only has grout-compile make artifacts of them, and counts why it refuses. With
--out it keeps them, and

  akg.py gpu DIR --build build

runs them, with the extents of the table, where there is a GPU and PyTorch.

  akg.py emit akg-gpu-ops.csv --filter 'bert_base.*GeLU' --out operators

writes the functions, one in a file. docs/AkgOperators.md says how the graph of
a row is found.
"""


def say(text):
    print(text, flush=True)


def read_rows(args):
    from operators import table

    if not args.table.exists():
        raise UserError(f"there is no file {args.table}")
    rows = [
        row for row in table.read(args.table) if args.filter.search(row.label)
    ]
    if not rows:
        raise UserError(
            f"no row has a name that matches '{args.filter.pattern}'"
        )
    return rows


def check_command(args):
    try:
        from operators import checking, grout, upstream
    except ImportError as error:
        raise UserError(f"check needs NumPy: {error}") from error
    rows = read_rows(args)
    tools = upstream.Tools(args.llvm)
    if args.backend == "grout":
        backend = grout.Grout(tools, grout.find("grout-opt", args.grout))
        compiler = checking.Compiler(backend)
    else:
        backend, compiler = upstream.Upstream(tools), None
    return status(
        check_rows(
            checking.Checker(tools.opt, backend, args.max_elements, compiler),
            rows,
            args.jobs,
        )
    )


def compile_command(args):
    try:
        from operators import artifacts, checking, grout
    except ImportError as error:
        raise UserError(f"compile needs NumPy: {error}") from error
    options = list(args.grout_option)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        # Without it the driver assembles each kernel, where the GPU waits.
        if ptxas := find_ptxas():
            options.append(f"--ptxas={ptxas}")
    backend = grout.Artifact(
        grout.find("grout-compile", args.grout), args.target, options
    )
    outcomes = check_rows(
        checking.Compiler(backend, args.out), read_rows(args), args.jobs
    )
    if args.out:
        artifacts.save(args.out, outcomes)
        made = [
            artifacts.path(args.out, outcome.row.label)
            for outcome in outcomes
            if outcome.graph
        ]
        size = sum(file.stat().st_size for file in made)
        say(f"\n{len(made)} artifacts in {args.out}, {size / 1e6:.1f} MB")
    return status(outcomes)


def gpu_command(args):
    try:
        from operators import artifacts, gpu
    except ImportError as error:
        raise UserError(f"gpu needs NumPy: {error}") from error
    entries = [
        entry
        for entry in artifacts.load(args.folder)
        if args.filter.search(entry.label)
    ]
    if not entries:
        raise UserError(
            f"no row has a name that matches '{args.filter.pattern}'"
        )
    progress = Progress(len(entries), every=100)
    outcomes = []
    for outcome in gpu.check(
        args.folder,
        args.build / "lib" / "libGroutRuntime.so",
        entries,
        args.jobs,
        args.seconds,
    ):
        outcomes.append(outcome)
        progress.report([outcome])
    conclude(outcomes)
    return status(outcomes)


class Progress:
    """Names what fails at once, and says how far it is."""

    def __init__(self, total, every=1):
        self._total = total
        self._every = every
        self._start = time.monotonic()
        self._done = 0

    def report(self, outcomes):
        from operators import checking, summary

        for outcome in summary.failures(outcomes):
            if outcome.status != checking.NOT_RUN:
                say(f"{outcome.row.label}: {outcome.status}: {outcome.reason}")
        before = self._done
        self._done += len(outcomes)
        if (
            self._done // self._every > before // self._every
            or self._done == self._total
        ):
            say(
                f"[{self._done}/{self._total}] "
                f"{time.monotonic() - self._start:.0f} s"
            )


def check_rows(checker, rows, jobs):
    from operators import checking

    outcomes = checking.check_all(
        checker, rows, jobs, Progress(len(rows)).report
    )
    conclude(outcomes)
    return outcomes


def conclude(outcomes):
    from operators import summary

    say("")
    say(summary.document(outcomes))


def status(outcomes):
    from operators import summary

    return 1 if summary.failures(outcomes) else 0


def emit_command(args):
    from operators import emit, rebuild, shrink

    rows = read_rows(args)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    for row in rows:
        try:
            graph = rebuild.rebuild(row)
        except rebuild.CannotRebuild as error:
            refused += 1
            print(f"akg.py: {row.label} is refused: {error}", file=sys.stderr)
            continue
        if args.max_elements:
            graph = shrink.shrink(graph, args.max_elements)
        comment = "".join(f"// {line}\n" for line in str(graph).splitlines())
        text = comment + emit.function(graph)
        if args.out:
            (args.out / f"{row.label}.mlir").write_text(text)
        else:
            say(text)
    if args.out:
        say(
            f"{len(rows) - refused} functions in {args.out}, {refused} rows "
            "refused"
        )
    return 0


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from error


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="akg.py",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name, help_, action):
        command = commands.add_parser(name, help=help_)
        command.add_argument(
            "table", type=pathlib.Path, metavar="TABLE", help="akg-gpu-ops.csv"
        )
        command.add_argument(
            "--filter",
            type=pattern,
            default="",
            metavar="REGEX",
            help="only rows whose network_level_name matches",
        )
        command.set_defaults(action=action)
        return command

    def add_checking(name, help_, action):
        command = add(name, help_, action)
        command.add_argument(
            "--jobs",
            type=positive(int),
            metavar="N",
            default=len(os.sched_getaffinity(0)),
            help="processes side by side; default: %(default)s",
        )
        command.add_argument(
            "--grout",
            metavar="DIR",
            help="where Grout's programs are; default: the PATH",
        )
        return command

    check = add_checking("check", "verify, run and compare", check_command)
    check.add_argument(
        "--backend",
        choices=("upstream", "grout"),
        default="upstream",
        help="whose passes compile; default: %(default)s",
    )
    check.add_argument(
        "--max-elements",
        type=positive(int),
        default=1 << 16,
        metavar="N",
        help="run with no more elements in a "
        "tensor, if that can be; default: %(default)s",
    )
    check.add_argument(
        "--llvm",
        metavar="DIR",
        help="where mlir-opt, mlir-translate and clang are; default: the PATH",
    )
    compile_ = add_checking(
        "compile", "compile, and run nothing", compile_command
    )
    compile_.add_argument(
        "--target",
        choices=("h100", "h200", "a100"),
        default="h200",
        help="default: %(default)s",
    )
    compile_.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="DIR",
        help="keep the artifacts there, assembled if there "
        "is a ptxas, for `gpu`",
    )
    compile_.add_argument(
        "--grout-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="passed to grout-compile: --grout-option=--x=y",
    )
    gpu = commands.add_parser("gpu", help="run artifacts, and compare")
    gpu.add_argument(
        "folder",
        type=pathlib.Path,
        metavar="DIR",
        help="what compile --out wrote",
    )
    gpu.add_argument(
        "--build",
        type=pathlib.Path,
        default=pathlib.Path("build"),
        metavar="DIR",
        help="has lib/libGroutRuntime.so; default: %(default)s",
    )
    gpu.add_argument(
        "--filter",
        type=pattern,
        default="",
        metavar="REGEX",
        help="only rows whose network_level_name matches",
    )
    gpu.add_argument(
        "--jobs",
        type=positive(int),
        default=4,
        metavar="N",
        help="processes that share the GPU; default: %(default)s",
    )
    gpu.add_argument(
        "--seconds",
        type=positive(float),
        default=3600,
        metavar="S",
        help="rows that this leaves no time for are "
        "counted, and fail the whole; default: %(default)s",
    )
    gpu.set_defaults(action=gpu_command)
    emit = add("emit", "write MLIR", emit_command)
    emit.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="DIR",
        help="a file for each row; default: all to standard output",
    )
    emit.add_argument(
        "--max-elements",
        type=positive(int),
        metavar="N",
        help="make extents smaller, for running; default: those of the table",
    )
    return parser.parse_args(arguments)


def main(arguments):
    args = parse_arguments(arguments)
    try:
        return args.action(args)
    except (OSError, UserError) as error:
        print(f"akg.py: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nakg.py: interrupted", file=sys.stderr)
        return 130
