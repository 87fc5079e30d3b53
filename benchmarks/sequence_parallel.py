#!/usr/bin/env python3
"""Sequence parallelism: Grout, NCCL with cuBLAS, torch.compile.

  python benchmarks/sequence_parallel.py [--processes 4] [--rows 64 256 1024]
  python benchmarks/sequence_parallel.py --replays 20000

Each process has a GPU. `reduce_scatter` and `all_gather` are these operators
alone, on rows of 4,096 bf16; the peer is NCCL. `qkv` and `up` are the parts of
LLaMA 3 8B's layers around a norm: a reduce-scatter of the rows' partial sums,
the addition of the residuals and an RMS norm on the own rows, and an all-gather
into the matmul of the queries, keys and values, or of the MLP. Each process has
a part of the matmul's columns. PyTorch runs these as they are (eager), by
torch.compile, and by torch.compile(backend="grout").

Each way is ten calls in a CUDA graph. Prints microseconds of a call on the
slowest GPU, the median of 15, and how much faster Grout is than the best peer.
Operators alone must give the bits of the sum of all ranks in f32, and of the
concatenation, also along other dimensions and of other types. The outputs of
layers are poisoned, and checked on inputs that the graph has not seen, against
f64. With --replays, graphs of the operators alone that check themselves run as
often, with poisoned outputs, new inputs and random delays on each GPU.
"""

import argparse
import datetime
import pathlib
import tempfile

import torch
from all_reduce import Call, capture, exact_sum, replay, time_of
from torch import distributed, multiprocessing, nn
from torch.distributed import _functional_collectives as functional
from torch_models import relative_error

WIDTH = 4096
COLUMNS = {"qkv": 6144, "up": 14336}
ROWS = 64, 128, 256, 512, 1024, 2048, 4096
LIMIT = 2e-2

PROGRAM = """
func.func @run(%x: {operand}) -> {result} {{
  %0 = collective.{operator} %x ranks {ranks} dim {dim} : {operand} -> {result}
  return %0 : {result}
}}
"""

NAMES = {
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int8: "i8",
    torch.bool: "i1",
}


def gather(x, dim):
    parts = [torch.empty_like(x) for _ in range(distributed.get_world_size())]
    distributed.all_gather(parts, x)
    return torch.cat(parts, dim)


def scatter(x, dim):
    """Returns this rank's part of the sum in f32, in the order of the ranks and
    rounded once."""
    parts = exact_sum(x).chunk(distributed.get_world_size(), dim)
    return parts[distributed.get_rank()]


EXACT = {"reduce_scatter": scatter, "all_gather": gather}


def compiled(operator, x, dim, args):
    """Returns a compiled operator on tensors like x, and the right result."""

    def describe(tensor):
        extents = "x".join(map(str, tensor.shape))
        return f"tensor<{extents}x{NAMES[tensor.dtype]}>"

    wanted = EXACT[operator](x, dim)
    program = PROGRAM.format(
        operator=operator,
        operand=describe(x),
        result=describe(wanted),
        ranks=args.processes,
        dim=dim,
    )
    return Call(program, wanted.shape, args.target, x.dtype), wanted


def poison(x):
    x.fill_(float("nan") if x.is_floating_point() else 1)


def check(operator, dtype, shape, dim, args):
    x = (torch.randn(shape, device="cuda") * 4).to(dtype)
    if dtype in (torch.int8, torch.int32, torch.int64):
        x[: len(x) // 2] = -1  # All bits are set.
    call, wanted = compiled(operator, x, dim, args)
    for _ in range(4):
        poison(call.y)
        if not torch.equal(call(x), wanted):
            raise SystemExit(f"{operator} of {dtype} {shape}: it is wrong")


def check_all(args):
    """Checks other dimensions and types than those that are timed."""
    count = args.processes
    for operator in EXACT:
        for dtype in (torch.bfloat16, torch.float32):
            check(operator, dtype, (3 * count, 5, 24 * count), 0, args)
            check(operator, dtype, (3, 5 * count, 7), 1, args)
            check(operator, dtype, (3, 5, 4 * count), 2, args)
    for dtype in NAMES:
        check("all_gather", dtype, (64, 160), 1, args)
        check("all_gather", dtype, (3, 5), 0, args)


def run_alone(operator, rows, args):
    count = args.processes
    shape = (rows if operator == "reduce_scatter" else rows // count, WIDTH)
    x = torch.randn(shape, dtype=torch.bfloat16, device="cuda")
    call, wanted = compiled(operator, x, 0, args)
    for _ in range(20):
        x.normal_()
        wanted = EXACT[operator](x, 0)
        poison(call.y)
        if not torch.equal(call(x), wanted):
            raise SystemExit(f"{operator} {rows} rows: it is wrong")
    if args.replays:
        replay(f"{operator} {rows} rows", call, x, wanted, args.replays)
        return
    y = torch.empty_like(wanted)
    peer = {
        "reduce_scatter": distributed.reduce_scatter_tensor,
        "all_gather": distributed.all_gather_into_tensor,
    }[operator]
    times = {"NCCL": time_of(lambda: peer(y, x))}
    report(operator, rows, time_of(lambda: call(x)), times)


class Layer(nn.Module):
    """What one of several processes does between two matmuls, and the second
    one."""

    def __init__(self, columns):
        super().__init__()
        self.norm = nn.Parameter(1 + torch.randn(WIDTH) / 4)
        self.weight = nn.Parameter(torch.randn(columns, WIDTH) / WIDTH**0.5)

    def forward(self, partial, residual):
        group = distributed.group.WORLD
        x = functional.reduce_scatter_tensor(partial, "sum", 0, group)
        x = x + residual
        y = nn.functional.rms_norm(x, (WIDTH,), self.norm, 1e-5)
        y = functional.all_gather_tensor(y, 0, group)
        return x, y @ self.weight.t()

    def exact(self, partial, residual):
        """Returns the results in f64."""
        partial = partial.double()
        distributed.all_reduce(partial)
        count = distributed.get_world_size()
        x = partial.chunk(count)[distributed.get_rank()] + residual.double()
        y = nn.functional.rms_norm(x, (WIDTH,), self.norm.double(), 1e-5)
        return x, gather(y, 0) @ self.weight.double().t()


class Captured:
    """A CUDA graph of one call, and its outputs."""

    def __init__(self, function):
        self.outputs = ()

        def call():
            self.outputs = function()

        self.graph = capture(call, 1)

    def errors(self, wanted):
        """Replays the graph, and returns the errors of poisoned outputs."""
        for output in self.outputs:
            poison(output)
        self.graph.replay()
        return [relative_error(y, z) for y, z in zip(self.outputs, wanted)]


def run_layer(name, rows, args):
    count = args.processes
    with torch.device("cuda"):
        layer = Layer(COLUMNS[name] // count).bfloat16()
        partial = torch.randn(rows, WIDTH).bfloat16()
        residual = torch.randn(rows // count, WIDTH).bfloat16()
    torch._dynamo.reset()
    ways = {
        "eager": layer,
        "torch.compile": torch.compile(layer, dynamic=False),
        "Grout": torch.compile(
            layer,
            backend="grout",
            dynamic=False,
            options={"target": args.target, "fallback": "error"},
        ),
    }
    for function in ways.values():
        function(partial, residual)
    graphs = {
        way: Captured(lambda function=function: function(partial, residual))
        for way, function in ways.items()
    }
    times = {
        way: time_of(lambda function=function: function(partial, residual))
        for way, function in ways.items()
    }
    partial.normal_()
    residual.normal_()
    wanted = layer.exact(partial, residual)
    errors = {way: max(graphs[way].errors(wanted)) for way in ways}
    allowed = {way: LIMIT for way in ways}
    allowed["Grout"] = min(LIMIT, 2 * errors["eager"])
    for way, error in errors.items():
        if not error <= allowed[way]:
            raise SystemExit(f"{name} {rows} rows: {way} has error {error:.1e}")
    report(name, rows, times.pop("Grout"), times)


def report(name, rows, own, times):
    if distributed.get_rank() == 0:
        print(
            f"{name} {rows} rows: Grout {own:.2f},",
            ", ".join(f"{peer} {us:.2f}" for peer, us in times.items()),
            f"us; {min(times.values()) / own:.2f}",
            flush=True,
        )


def work(rank, args, store):
    """Runs the benchmark in one process."""
    torch.cuda.set_device(rank)
    torch.manual_seed(rank)
    distributed.init_process_group(
        "nccl",
        init_method=f"file://{store}",
        rank=rank,
        world_size=args.processes,
        timeout=datetime.timedelta(minutes=5),
        device_id=torch.device("cuda", rank),
    )
    with torch.no_grad():
        check_all(args)
        for operator in EXACT:
            for rows in args.rows:
                run_alone(operator, rows, args)
        for name in () if args.replays else COLUMNS:
            for rows in args.rows:
                run_layer(name, rows, args)
    distributed.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--target", default="h200")
    parser.add_argument("--replays", type=int, default=0)
    args = parser.parse_args()
    if torch.cuda.device_count() < args.processes:
        parser.error(
            f"{args.processes} processes need as many GPUs, and "
            f"{torch.cuda.device_count()} are here"
        )
    if any(rows % args.processes for rows in args.rows):
        parser.error(f"--processes does not divide all of {args.rows}")
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(
            work, (args, pathlib.Path(folder) / "store"), args.processes
        )


if __name__ == "__main__":
    main()
