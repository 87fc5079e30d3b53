"""The command line."""

import argparse
import json
import math
import pathlib
import re
import statistics
import sys

from arguments import pattern, positive
from compiler import find_ptxas, headline
from errors import UserError
from memory_bound.operators import all_operators

_DESCRIPTION = """\
Memory-bound operators as kernels of Grout, beside PyTorch and torch.compile.

  memory.py compile --out out       # anywhere, with Grout's build
  memory.py run --out out           # where the GPU is

Each call is a CUDA graph of one operator; before it 512 MB are written, so that
nothing is left in the cache. Results are compared with PyTorch's in f64.
"""

# Largest error, relative to the largest element, by the type of results.
_TOLERANCES = {"f16": 2e-3, "f32": 1e-5}
_FLUSH_BYTES = 512 << 20


def say(text):
    print(text, flush=True)


def select(args):
    operators = [operator for operator in all_operators()
                 if re.search(args.filter, operator.name)]
    if not operators:
        raise UserError(f"no operator has a name that matches '{args.filter}'")
    return operators


def compile_command(args):
    from compiler import Compiler
    from variants import Variant
    compiler = Compiler(args.build / "bin" / "grout-compile", find_ptxas())
    args.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    operators = select(args)
    for number, operator in enumerate(operators, 1):
        source = args.out / f"{operator.name}.mlir"
        source.write_text(operator.ir)
        diagnostic = compiler.compile(source, Variant("serial", "serial"),
                                      args.out / f"{operator.name}.grout")
        refused += diagnostic is not None
        say(f"[{number}/{len(operators)}] {operator.name}"
            + (f": refused: {headline(diagnostic)}" if diagnostic else ""))
    return 1 if refused else 0


def _median_us(torch, graphs, samples, flush):
    times = {name: [] for name in graphs}
    for _ in range(samples):
        for name, graph in graphs.items():
            flush.fill_(1)
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            start.record()
            graph.replay()
            end.record()
            end.synchronize()
            times[name].append(start.elapsed_time(end) * 1e3)
    return {name: statistics.median(sample) for name, sample in times.items()}


def _run(torch, device, runtime, operator, args, flush):
    """The row of an operator: times in microseconds, and the error."""
    dtypes = {"f16": torch.float16, "f32": torch.float32}
    random = torch.rand if operator.positive else torch.randn
    generator = torch.Generator("cuda")
    generator.manual_seed(args.seed)
    inputs = [random(shape, generator=generator, device="cuda").to(dtypes[dtype])
              for shape, dtype in operator.arguments]
    outputs = [torch.full(shape, math.nan, dtype=dtypes[dtype], device="cuda")
               for shape, dtype in operator.results]
    function = operator.torch(torch)
    want = function(*[value.double() for value in inputs])
    want = want if isinstance(want, tuple) else (want,)

    session = runtime.session(args.out / f"{operator.name}.grout")
    session.run(inputs, outputs)
    torch.cuda.synchronize()
    error = max(((got.double() - value).abs().max() / value.abs().max()).item()
                for got, value in zip(outputs, want))

    source = torch.empty(operator.bytes // 2, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    bodies = {"grout": lambda: session.run(inputs, outputs),
              "copy": lambda: target.copy_(source),
              "torch": lambda: function(*inputs)}
    if args.torch_compile:
        torch._dynamo.reset()
        compiled = torch.compile(function, fullgraph=True, dynamic=False)
        compiled(*inputs)
        bodies["torch.compile"] = lambda: compiled(*inputs)
    graphs = {name: device.capture(body, 1) for name, body in bodies.items()}
    times = _median_us(torch, graphs, args.samples, flush)
    return {"name": operator.name, "bytes": operator.bytes, "us": times,
            "error": error,
            "correct": error <= _TOLERANCES[operator.results[0][1]]}


def _describe(row):
    times = row["us"]
    peer = min(times[name] for name in ("torch", "torch.compile")
               if name in times)
    return (f"{row['name']:42s} {row['bytes'] / 1e6:7.1f} MB  "
            + "  ".join(f"{name} {time:.1f}" for name, time in times.items())
            + f"  best peer/grout {peer / times['grout']:.2f}"
            + f"  copy/grout {times['copy'] / times['grout']:.2f}"
            + f"  error {row['error']:.1e}"
            + ("" if row["correct"] else "  WRONG"))


def run_command(args):
    try:
        import torch
    except ImportError as error:
        raise UserError(f"run needs PyTorch: {error}") from error
    if not torch.cuda.is_available():
        raise UserError("run needs a GPU, and PyTorch sees none")
    import grout_runtime
    from torch_device import TorchDevice
    runtime = grout_runtime.Runtime(args.build / "lib" / "libGroutRuntime.so")
    device = TorchDevice(torch, args.seed)
    flush = torch.empty(_FLUSH_BYTES, dtype=torch.uint8, device="cuda")
    rows = []
    for operator in select(args):
        if not (args.out / f"{operator.name}.grout").exists():
            raise UserError(f"{args.out} has no {operator.name}.grout; run "
                            "compile first")
        rows.append(_run(torch, device, runtime, operator, args, flush))
        say(_describe(rows[-1]))
    for peer in ("torch", "torch.compile"):
        ratios = [row["us"][peer] / row["us"]["grout"] for row in rows
                  if peer in row["us"]]
        if ratios:
            say(f"{peer} / grout: geomean "
                f"{statistics.geometric_mean(ratios):.2f}, "
                f"least {min(ratios):.2f}, of {len(ratios)}")
    if args.json:
        args.json.write_text(json.dumps({"device": device.describe(),
                                         "rows": rows}, indent=1) + "\n")
    return 0 if all(row["correct"] for row in rows) else 1


def main(argv):
    parser = argparse.ArgumentParser(
        prog="memory.py", description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--build", type=pathlib.Path, default="build",
                        help="where Grout was built; default: build")
    common.add_argument("--out", type=pathlib.Path, default="operators",
                        help="folder of the artifacts; default: operators")
    common.add_argument("--filter", type=pattern, default="", metavar="REGEX",
                        help="only operators with a name that matches")
    commands.add_parser("compile", parents=[common],
                        help="write IR and artifacts").set_defaults(
                            run=compile_command)
    run = commands.add_parser("run", parents=[common],
                              help="check results, and measure")
    run.add_argument("--samples", type=positive(int), default=15,
                     help="calls of each; the median counts; default: 15")
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--no-torch-compile", dest="torch_compile",
                     action="store_false", help="leave torch.compile out")
    run.add_argument("--json", type=pathlib.Path, help="write all rows there")
    run.set_defaults(run=run_command)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except UserError as error:
        print(f"memory.py: error: {error}", file=sys.stderr)
        return 1
