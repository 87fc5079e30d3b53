"""The command line."""

import argparse
import pathlib
import re
import sys
import tempfile

from arguments import not_negative, pattern, positive, seed
from errors import UserError

from tuning import VERSION

MODES = ["serial", "pdl", "overlap", "persistent"]

_DESCRIPTION = """\
Finds fast tilings by measuring them, and keeps them for grout-compile.

  grout-tune all mlp.mlir --database tuning.db
  grout-compile mlp.mlir --target=h200 --mode=auto --tuning=tuning.db \\
                -o mlp.grout --explain

tunes each product of mlp.mlir alone, then all of them together in each mode:
candidates that the compiler's model finds good are compiled, their results are
compared with those of the model's choice, and their times, too; the slower half
is given up early. Inputs are MLIR as grout-compile takes it, or configurations
of benchmarks such as benchmarks/configs/gemm.json.

Where the machine with the GPU has no compiler:

  grout-tune compile mlp.mlir --out tune --kinds products      # anywhere
  grout-tune run --out tune --database tuning.db               # with the GPU
  grout-tune compile mlp.mlir --out tune --kinds chains --database tuning.db
  grout-tune run --out tune --database tuning.db

`run` needs the folder, PyTorch, and of Grout's build lib/libGroutRuntime.so.

What is measured of a case goes into the database, a SQLite file, when the case
is complete; several may write at once. Whatever is interrupted (Ctrl-C) goes on
where it was when the command is given again: what is in the database is not
measured again, nor compiled.

  grout-tune export tuning.db tuning.jsonl
  grout-tune import tuning.db tuning.jsonl other.db
  grout-tune check tuning.db

writes it as JSON lines, to be reviewed or kept under version control; adds what
is in such files, or in other databases; and says whether a file is whole. What
is damaged is refused by all commands, by its name, and left as it is.

  grout-tune report tuning.db

prints the model's choices beside the tuned ones, as they were measured. Both
`report` and grout-compile read JSON lines as well.

  grout-tune report tuning.db mlp.mlir

judges the model of this build by the products and the chains of mlp.mlir that
have been measured, without a GPU. benchmarks/data has those of configurations:
h200.jsonl the products of gemm.json and mlp.json, h200_chains.jsonl the chains
of mlp.json, mlp_small.json and mlp_models.json.
"""


def say(text):
    print(text, flush=True)


def warn(text):
    print(f"grout-tune: warning: {text}", file=sys.stderr, flush=True)


def complain(error):
    print(f"grout-tune: error: {error}", file=sys.stderr, flush=True)


def open_database(path):
    from tuning.database import Database

    return Database(path)


def list_functions(args, folder):
    """Returns (name, function) of all inputs. Writes the cases of
    configurations to `folder`."""
    from tuning import artifacts

    program = find_compiler(args)
    inputs = artifacts.read_inputs(args.inputs, args.filter, folder)
    return [
        pair
        for name, path in inputs
        for pair in artifacts.name_functions(
            name, artifacts.list_tilings(program, path, args.target)
        )
    ]


def find_compiler(args):
    program = args.build / "bin" / "grout-compile"
    if not program.exists():
        raise UserError(f"there is no {program}; --build says where Grout is")
    return program


def compile_command(args):
    import compiler

    from tuning import artifacts

    program = find_compiler(args)
    ptxas = compiler.find_ptxas() if args.ptxas == "auto" else args.ptxas
    if not ptxas:
        warn(
            "there is no ptxas: `run` will wait for the driver to assemble "
            "each candidate"
        )
    functions = list_functions(args, args.out / "inputs")
    database = open_database(args.database)
    cases, known = artifacts.collect(functions, args, database)
    if known:
        say(f"{known} cases are in {args.database} already")
    args.out.mkdir(parents=True, exist_ok=True)
    manifest, complete = artifacts.compile_cases(
        cases,
        artifacts.ArtifactCompiler(program, ptxas, args.out, args.target),
        args.out,
        args.jobs,
        say,
    )
    count, size = artifacts.size(manifest, args.out)
    say(
        f"{len(manifest.cases)} cases with {count} artifacts, "
        f"{size / 2**20:.1f} MiB, in {args.out}"
    )
    return 0 if complete else 1


def run_command(args):
    from tuning import artifacts

    manifest = artifacts.load(args.out)
    database = open_database(args.database)
    from tuning import measuring

    matching = [
        case for case in manifest.cases if re.search(args.filter, case.name)
    ]
    cases = measuring.pending(manifest, matching, database, args.again)
    if len(cases) < len(matching):
        say(
            f"{len(matching) - len(cases)} cases are in {args.database} already"
        )
    if not cases:
        say("nothing is left to measure")
        return 0
    try:
        import torch
    except ImportError as error:
        raise UserError("run needs PyTorch") from error
    import grout_runtime
    from torch_device import TorchDevice

    device = TorchDevice(torch, args.seed)
    warn_of_others(database, device)
    runtime = grout_runtime.Runtime(args.build / "lib" / "libGroutRuntime.so")
    args.target = manifest.target
    tuner = measuring.Tuner(device, runtime, args.out, args, say)
    try:
        failed = measuring.run_cases(tuner, cases, database, args, say)
    except measuring.DeviceLost as error:
        print(f"grout-tune: the GPU is lost after {error}", file=sys.stderr)
        return 1
    for failure in failed:
        print(f"grout-tune: failed: {failure}", file=sys.stderr)
    return 1 if failed else 0


def warn_of_others(database, device):
    """Warns if the database has times of another GPU or driver, because new
    times do not compare with those."""
    from tuning.summary import describe_origin

    found = device.describe()
    here = found["gpu"], found["driver"]
    others = sorted(
        describe_origin(origin)
        for origin in database.origins()[0]
        if origin != here
    )
    if others:
        warn(
            f"{database.path} has times of {'; '.join(others)}, and this is "
            f"{describe_origin(here)}: they do not compare"
        )


def all_command(args):
    status = 0
    for kind in ("products", "chains"):
        args.kinds = [kind]
        status |= compile_command(args)
        status |= run_command(args)
    return status


def report_command(args):
    from tuning import database as databases
    from tuning import summary

    database = databases.read(args.database)
    if not args.inputs:
        if args.of_inputs:
            raise UserError(
                f"{args.of_inputs[0]} concerns inputs, and "
                "`report` was given none"
            )
        say(summary.document(database))
        return 0
    from tuning import chain_judgement, judgement

    with tempfile.TemporaryDirectory() as folder:
        functions = list_functions(args, pathlib.Path(folder))
    products = judgement.judge(functions, args.target, database)
    chains = chain_judgement.judge(functions, args.target, database)
    if not products[0] and not any(chains):
        raise UserError(
            f"{args.database} has no product and no chain of the inputs"
        )
    if products[0]:
        say(judgement.document(*products))
    if any(chains):
        say(chain_judgement.document(*chains))
    say(summary.provenance(database))
    return 0


def import_command(args):
    from tuning import database

    # Read all files before anything is added.
    lines = [
        line
        for path in args.files
        for line in database.read(path).sorted_lines()
    ]
    open_database(args.database).add(lines)
    say(f"{args.database}: {len(lines)} measurements were imported")
    return 0


def export_command(args):
    from tuning import database, json_lines

    lines = database.read(args.database).sorted_lines()
    if str(args.file) == "-":
        print(json_lines.to_text(lines), end="", flush=True)
        return 0
    if args.file.exists() and database.is_database(args.file):
        raise UserError(f"{args.file} is a database; export writes JSON lines")
    json_lines.write(args.file, lines)
    return 0


def check_command(args):
    from tuning import database

    status = 0
    for path in args.files:
        try:
            records = database.read(path)
            say(
                f"{path}: {len(records.sorted_lines())} measurements of "
                f"{len(records.cases())} shapes; nothing is damaged"
            )
        except (OSError, UserError) as error:
            complain(error)
            status = 1
    return status


def probe_command(args):
    import json

    try:
        import torch
    except ImportError as error:
        raise UserError("probe needs PyTorch") from error
    from torch_device import TorchDevice

    from tuning.probe import probe

    text = json.dumps(probe(torch, TorchDevice(torch, seed=0)), indent=1)
    if str(args.file) == "-":
        say(text)
    else:
        args.file.write_text(text + "\n")
    return 0


def fit_command(args):
    import json_files

    from tuning import database as databases
    from tuning import fitting

    probed = json_files.read(args.probe) if args.probe else {}
    with tempfile.TemporaryDirectory() as folder:
        functions = list_functions(args, pathlib.Path(folder))
    products = fitting.products_of(
        functions, args.target, databases.read(args.database)
    )
    model = fitting.Model(find_compiler(args), args.target, products)
    start = model.constants()
    say(f"as it is: {model.judge({})}")
    for name in ("memoryRate", "matrixRate"):
        start[name] = probed.get(name, start[name])
    names = args.constants or fitting.names_to_fit(start)
    for name in names:
        if name not in start:
            raise UserError(
                f"{args.target} has no constant '{name}'; there "
                f"are {', '.join(start)}"
            )
    best = fitting.Search(model.judge, start, names, args.jobs, say).run()
    say(f"fitted: {model.judge(best)}")
    say(fitting.table(best, probed))
    return 0


def list_of(what, known):
    def parse(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f"unknown {what} '{name}'; known are {', '.join(known)}"
                )
        return names

    return parse


def stages(text):
    return [positive(int)(part) for part in text.split(",")]


def add_files(command, count, text):
    command.add_argument(
        "files", nargs=count, type=pathlib.Path, metavar="FILE", help=text
    )


def add_exchange(commands):
    """Adds the commands that import into databases, export from them, and
    check them."""

    def add_database(command):
        command.add_argument("database", type=pathlib.Path, metavar="DATABASE")

    importing = commands.add_parser(
        "import", help="add JSON lines, or other databases"
    )
    add_database(importing)
    add_files(
        importing,
        "+",
        "JSON lines, or databases; of the same tilings, "
        "what is imported last counts",
    )
    importing.set_defaults(action=import_command)
    exporting = commands.add_parser("export", help="write JSON lines")
    add_database(exporting)
    exporting.add_argument(
        "file",
        nargs="?",
        type=pathlib.Path,
        default=pathlib.Path("-"),
        metavar="FILE",
        help="is replaced; default: standard output",
    )
    exporting.set_defaults(action=export_command)
    checking = commands.add_parser(
        "check", help="say whether databases, or JSON lines, are whole"
    )
    add_files(checking, "+", "database, or JSON lines")
    checking.set_defaults(action=check_command)


class _OfInputs(argparse.Action):
    """Stores a value, and notes that this option, which needs inputs, was
    given."""

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)
        namespace.of_inputs = [*namespace.of_inputs, self.option_strings[0]]


def add_build(command, build):
    command.set_defaults(of_inputs=[])
    command.add_argument(
        "--build",
        type=pathlib.Path,
        default=build,
        action=_OfInputs,
        metavar="DIR",
        help="where Grout was built or installed; default: %(default)s",
    )
    command.add_argument(
        "--filter",
        type=pattern,
        default="",
        action=_OfInputs,
        metavar="REGEX",
        help="only what has a name that matches",
    )


def add_common(command, build):
    add_build(command, build)
    command.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("tune"),
        metavar="DIR",
        help="folder of the artifacts; default: %(default)s",
    )
    command.add_argument(
        "--database",
        type=pathlib.Path,
        default=pathlib.Path("tuning.db"),
        metavar="FILE",
        help="default: %(default)s",
    )
    command.add_argument(
        "--again",
        action="store_true",
        help="also what the database has already",
    )


def add_target(command):
    command.add_argument(
        "--target",
        default="h200",
        metavar="NAME",
        action=_OfInputs,
        help="the GPU, as grout-compile's --target takes it; "
        "default: %(default)s",
    )


def add_compiling(command):
    add_target(command)
    command.add_argument(
        "inputs",
        nargs="+",
        type=pathlib.Path,
        metavar="INPUT",
        help="MLIR, or a configuration of benchmarks (.json)",
    )
    command.add_argument(
        "--candidates",
        type=positive(int),
        default=12,
        metavar="N",
        help="of each product; default: 12",
    )
    command.add_argument(
        "--chain-candidates",
        type=positive(int),
        default=6,
        metavar="N",
        help="of each function in each mode; default: 6",
    )
    command.add_argument(
        "--modes",
        type=list_of("mode", MODES),
        default=MODES,
        metavar="LIST",
        help=f"for functions; default: {','.join(MODES)}",
    )
    command.add_argument(
        "--ptxas",
        default="auto",
        metavar="PATH",
        help="assembles the kernels; empty: the driver does, "
        "which takes long; default: the one on PATH or of "
        "the CUDA toolkit",
    )
    command.add_argument(
        "--jobs",
        type=positive(int),
        default=2,
        metavar="N",
        help="compile so many at once; default: 2",
    )


def add_running(command):
    command.add_argument(
        "--stages",
        type=stages,
        default=[2, 3, 5],
        metavar="LIST",
        help="bursts of each candidate that "
        "is left, half of them after each number; default: "
        "2,3,5",
    )
    command.add_argument(
        "--idle-ms",
        type=not_negative(float),
        default=20.0,
        metavar="MS",
        help="rest before each burst; default: 20",
    )
    command.add_argument(
        "--budget-seconds",
        type=positive(float),
        metavar="S",
        help="begin no further case after so long",
    )
    command.add_argument(
        "--timeout-seconds",
        type=positive(float),
        default=60.0,
        metavar="S",
        help="end when one candidate, or the timing of a "
        "case, takes longer; default: 60",
    )
    command.add_argument(
        "--seed", type=seed, default=0, help="of the inputs and of the order"
    )


def add_fitting(commands, build):
    """Adds the commands that make the table of another GPU."""
    probing = commands.add_parser(
        "probe", help="measure the limits and rates of a GPU"
    )
    probing.add_argument(
        "file",
        nargs="?",
        type=pathlib.Path,
        default=pathlib.Path("-"),
        metavar="FILE",
        help="is replaced; default: standard output",
    )
    probing.set_defaults(action=probe_command)
    fitting = commands.add_parser(
        "fit", help="fit the model's constants to times of products"
    )
    add_build(fitting, build)
    add_target(fitting)
    fitting.add_argument(
        "database",
        type=pathlib.Path,
        metavar="FILE",
        help="a database, or JSON lines, with times of the target",
    )
    fitting.add_argument(
        "inputs",
        nargs="+",
        type=pathlib.Path,
        metavar="INPUT",
        help="MLIR or configurations of "
        "benchmarks, whose products have been measured",
    )
    fitting.add_argument(
        "--probe",
        type=pathlib.Path,
        metavar="FILE",
        help="what `probe` wrote: begin with these rates, and "
        "print these limits, too",
    )
    fitting.add_argument(
        "--constants",
        type=lambda text: text.split(","),
        metavar="LIST",
        help="fit these alone; default: all that products alone depend on",
    )
    fitting.add_argument(
        "--jobs",
        type=positive(int),
        default=2,
        metavar="N",
        help="try so many at once; default: 2",
    )
    fitting.set_defaults(action=fit_command)


class _Parser(argparse.ArgumentParser):
    """Raises if help cannot be printed. The base class ignores that."""

    def _print_message(self, message, file=None):
        print(message, end="", file=file or sys.stderr, flush=True)


def parse_arguments(arguments, build):
    parser = _Parser(
        prog="grout-tune",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"Grout version {VERSION}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    making = commands.add_parser("compile", help="compile candidates")
    add_common(making, build)
    add_compiling(making)
    kinds = ["products", "chains"]
    making.add_argument(
        "--kinds",
        type=list_of("kind", kinds),
        default=kinds,
        metavar="LIST",
        help="products, chains, or both, which "
        "is the default; chains are made of the best products "
        "in the database, else of the model's",
    )
    making.set_defaults(action=compile_command)
    running = commands.add_parser("run", help="measure them")
    add_common(running, build)
    add_running(running)
    running.set_defaults(action=run_command)
    both = commands.add_parser(
        "all", help="compile and measure products, then chains"
    )
    add_common(both, build)
    add_compiling(both)
    add_running(both)
    both.set_defaults(action=all_command)
    report = commands.add_parser("report", help="compare with the model")
    report.add_argument(
        "database",
        type=pathlib.Path,
        metavar="FILE",
        help="a database, or JSON lines",
    )
    report.add_argument(
        "inputs",
        nargs="*",
        type=pathlib.Path,
        metavar="INPUT",
        help="with MLIR or configurations of "
        "benchmarks, judge the model of this build by their "
        "products",
    )
    add_target(report)
    add_build(report, build)
    report.set_defaults(action=report_command)
    add_exchange(commands)
    add_fitting(commands, build)
    return parser.parse_args(arguments)


def main(arguments, build):
    """Runs the tool. Grout is in `build` unless the arguments say otherwise.
    Runs the tool. Grout is in `build` unless the arguments say otherwise."""
    try:
        args = parse_arguments(arguments, build)
        return args.action(args)
    except (OSError, UserError) as error:
        complain(error)
        return 1
    except KeyboardInterrupt:
        print(
            "\ngrout-tune: interrupted; what was complete is kept, and the "
            "same command goes on",
            file=sys.stderr,
        )
        return 130
