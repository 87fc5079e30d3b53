#!/usr/bin/env python3
"""All-reduces, and matmuls that one follows: Grout, NCCL, symmetric memory.

  python benchmarks/all_reduce.py [--processes 4] [--rows 1 16 64 256 1024]
  python benchmarks/all_reduce.py --replays 20000

Each process has a GPU. `alone` is an all-reduce of rows of 4,096 bf16; `llama`
and `gpt3` are the down projections of an MLP of LLaMA 3 8B and GPT-3 175B, of
which each process has a part of the inner dimension. The peers of the matmuls
are cuBLAS, and then NCCL, or PyTorch's one_shot_all_reduce or
two_shot_all_reduce_ in symmetric memory.

Each way is ten calls in a CUDA graph. Prints microseconds of a call on the
slowest GPU, the median of 15, and how much faster Grout is than the best peer.
The result of `alone` must equal the sum of all ranks in f32, bit by bit. With
--replays, a graph that checks itself runs as often, with poisoned outputs, new
inputs and random delays on each GPU.
"""

import argparse
import datetime
import pathlib
import random
import statistics
import tempfile

import torch
from torch import distributed, multiprocessing
from torch.distributed import _symmetric_memory

import grout
from grout.torch.runtime import symmetric

WIDTH = 4096
MATMULS = {"llama": (4096, 14336), "gpt3": (12288, 49152)}
ROWS = 1, 16, 64, 256, 1024

SUM = """
func.func @sum(%x: {type}) -> {type} {{
  %0 = collective.all_reduce %x ranks {ranks} : {type}
  return %0 : {type}
}}
"""
MATMUL = """
#lhs = affine_map<(i, j, k) -> (i, k)>
#rhs = affine_map<(i, j, k) -> (j, k)>
#out = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @matmul(%x: tensor<{m}x{k}xbf16>, %w: tensor<{n}x{k}xbf16>)
    -> tensor<{m}x{n}xbf16> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x{n}xf32>)
    -> tensor<{m}x{n}xf32>
  %p = linalg.generic {{
      indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %w : tensor<{m}x{k}xbf16>, tensor<{n}x{k}xbf16>)
      outs(%z : tensor<{m}x{n}xf32>) {{
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }} -> tensor<{m}x{n}xf32>
  %f = tensor.empty() : tensor<{m}x{n}xbf16>
  %r = linalg.generic {{
      indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%p : tensor<{m}x{n}xf32>) outs(%f : tensor<{m}x{n}xbf16>) {{
  ^bb0(%a: f32, %b: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  }} -> tensor<{m}x{n}xbf16>
  %s = collective.all_reduce %r ranks {ranks} : tensor<{m}x{n}xbf16>
  return %s : tensor<{m}x{n}xbf16>
}}
"""


class Team:
    """All processes."""

    def allocate(self, module):
        return symmetric.allocate(
            distributed.group.WORLD,
            torch.device("cuda", distributed.get_rank()),
            module.symmetric_bytes,
        )


class Call:
    """A compiled function of tensors with a result of `shape`."""

    def __init__(self, program, shape, target, dtype=torch.bfloat16):
        self.module = grout.compile(program, target=target)
        self.y = torch.empty(shape, dtype=dtype, device="cuda")
        self.team = Team() if self.module.ranks > 1 else None

    def __call__(self, *inputs):
        self.module.run(
            [x.data_ptr() for x in inputs],
            [self.y.data_ptr()],
            distributed.get_rank(),
            torch.cuda.current_stream().cuda_stream,
            team=self.team,
        )
        return self.y


def capture(function, calls):
    """Returns a CUDA graph of calls."""
    # What the function reads may still be computed on the current stream.
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        function()
    torch.cuda.synchronize()
    distributed.barrier()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        for _ in range(calls):
            function()
    return graph


def time_of(function, calls=10):
    """Returns the microseconds of a call on the slowest GPU."""
    graph = capture(function, calls)
    for _ in range(5):
        graph.replay()
    times = []
    for _ in range(15):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in "be")
        torch.cuda.synchronize()
        distributed.barrier()
        begin.record()
        graph.replay()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000 / (2 * calls))
    slowest = torch.tensor([statistics.median(times)], device="cuda")
    distributed.all_reduce(slowest, distributed.ReduceOp.MAX)
    return slowest.item()


def exact_sum(x):
    """Returns the sum of all ranks in f32, in their order, rounded once."""
    parts = [torch.empty_like(x) for _ in range(distributed.get_world_size())]
    distributed.all_gather(parts, x)
    total = parts[0].float()
    for part in parts[1:]:
        total = total + part.float()
    return total.to(x.dtype)


def peers(compute, shape):
    """Returns the times of all-reduces of `shape` behind `compute`, which
    writes its result into the tensor that it gets."""
    name = distributed.group.WORLD.group_name
    shared = _symmetric_memory.empty(
        *shape, dtype=torch.bfloat16, device="cuda"
    )
    _symmetric_memory.rendezvous(shared, name)
    shared.zero_()
    own = torch.zeros(shape, dtype=torch.bfloat16, device="cuda")
    ops = torch.ops.symm_mem
    return {
        "NCCL": time_of(lambda: (compute(own), distributed.all_reduce(own))),
        "one_shot": time_of(
            lambda: (
                compute(shared),
                ops.one_shot_all_reduce(shared, "sum", name),
            )
        ),
        "two_shot": time_of(
            lambda: (
                compute(shared),
                ops.two_shot_all_reduce_(shared, "sum", name),
            )
        ),
    }


def report(name, rows, own, times):
    if distributed.get_rank() == 0:
        print(
            f"{name} {rows} rows: Grout {own:.2f},",
            ", ".join(f"{peer} {us:.2f}" for peer, us in times.items()),
            f"us; {min(times.values()) / own:.2f}",
            flush=True,
        )


def run_alone(rows, args):
    shape = rows, WIDTH
    text = SUM.format(type=f"tensor<{rows}x{WIDTH}xbf16>", ranks=args.processes)
    call = Call(text, shape, args.target)
    x = torch.randn(shape, dtype=torch.bfloat16, device="cuda")
    for _ in range(20):
        x.normal_()
        call.y.fill_(float("nan"))
        if not torch.equal(call(x), exact_sum(x)):
            raise SystemExit(f"{rows} rows: the sum is wrong")
    if args.replays:
        replay(f"{rows} rows", call, x, exact_sum(x), args.replays)
        return
    report("alone", rows, time_of(lambda: call(x)), peers(lambda y: y, shape))


def replay(name, call, x, wanted, count, *others):
    """Replays a graph that scales its first input by powers of two, which
    changes no bits of the result but the exponents."""
    base = x.clone()
    scale = torch.ones((), dtype=x.dtype, device="cuda")
    wrong = torch.zeros((), dtype=torch.int64, device="cuda")

    def step():
        scale.copy_(
            torch.where(scale >= 2.0**20, torch.ones_like(scale), scale * 2)
        )
        torch.mul(base, scale, out=x)
        call.y.fill_(float("nan"))
        wrong.add_((call(x, *others) != wanted * scale).any())

    graph = capture(step, 1)
    random.seed(distributed.get_rank())
    for number in range(count):
        if random.random() < 0.02:
            torch.cuda._sleep(random.randrange(1, 300_000))
        graph.replay()
        if number % 500 == 499:
            torch.cuda.synchronize()
    distributed.all_reduce(wrong)
    if distributed.get_rank() == 0:
        print(f"{name}: {count} replays, {wrong.item()} wrong")


def run_matmul(name, rows, args):
    n, inner = MATMULS[name]
    k = inner // args.processes
    text = MATMUL.format(m=rows, n=n, k=k, ranks=args.processes)
    call = Call(text, (rows, n), args.target)
    x = torch.randn(rows, k, dtype=torch.bfloat16, device="cuda")
    w = torch.randn(n, k, dtype=torch.bfloat16, device="cuda") / k**0.5
    wanted = x.float() @ w.float().t()
    distributed.all_reduce(wanted)
    error = (call(x, w).float() - wanted).abs().max() / wanted.abs().max()
    if not error < 1e-2:
        raise SystemExit(f"{name} {rows} rows: error {error:.1e}")
    if args.replays:
        wanted = call(x, w).clone()
        replay(f"{name} {rows} rows", call, x, wanted, args.replays, w)
        return
    times = peers(lambda y: torch.mm(x, w.t(), out=y), (rows, n))
    report(name, rows, time_of(lambda: call(x, w)), times)


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
    for rows in args.rows:
        run_alone(rows, args)
    for name in MATMULS:
        for rows in args.rows:
            run_matmul(name, rows, args)
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
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(
            work, (args, pathlib.Path(folder) / "store"), args.processes
        )


if __name__ == "__main__":
    main()
