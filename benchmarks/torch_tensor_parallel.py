#!/usr/bin/env python3
"""Tensor parallel models: Grout, torch.compile's default, eager.

  python benchmarks/torch_tensor_parallel.py [--rows 256] [--repeat 20]
  python benchmarks/torch_tensor_parallel.py --model llama --dtype bf16
  python benchmarks/torch_tensor_parallel.py --device cpu --scale 64

`mlp` is GPT-3 175B's MLP: each process has columns of the first weight and rows
of the second one. `llama` is two layers of LLaMA 3 8B, of which each process
has some heads and a part of each MLP; `rows` are the tokens of one prompt.

Each process has a GPU. torch.distributed adds up the results, in the graph that
is compiled. Weights and inputs are random. Each way to run the model is captured in a CUDA graph.
The graphs take turns, and their outputs are poisoned before each replay. They
are checked on an input that they have not seen, against f64: the whole MLP, or
the layers with torch.distributed's sums in f64.
Prints microseconds (of the slowest GPU, the median), the errors, and how much
faster Grout is. With --device cpu, and with --no-graph, the calls themselves
are timed.
"""

import argparse
import copy
import datetime
import pathlib
import statistics
import tempfile
import time

import torch
from torch import distributed, multiprocessing, nn
from torch.nn import functional
from torch_models import DTYPES, MLP, capture, gpu_time, relative_error

import grout.torch
from grout.torch import records

WIDTH, HIDDEN = 12288, 49152
ROWS = 1, 64, 256, 1024


class Part(nn.Module):
    """The part of an MLP that one of several processes computes."""

    def __init__(self, whole, rank, processes):
        super().__init__()

        def cut(weight, dim):
            part = weight.chunk(processes, dim)[rank]
            return nn.Parameter(
                part.clone(memory_format=torch.contiguous_format)
            )

        self.up, self.up_bias = cut(whole.up.weight, 0), cut(whole.up.bias, 0)
        self.down, self.down_bias = cut(whole.down.weight, 1), whole.down.bias

    def forward(self, x):
        y = functional.gelu(functional.linear(x, self.up, self.up_bias))
        y = functional.linear(y, self.down)
        distributed.all_reduce(y)
        return y + self.down_bias


class Summed(nn.Module):
    """A linear layer of which each process has some of the inputs."""

    def __init__(self, linear):
        super().__init__()
        self.linear = linear

    def forward(self, x):
        y = self.linear(x)
        distributed.all_reduce(y)
        return y


class Llama(nn.Module):
    """The part of two layers of LLaMA 3 8B that one of several processes
    computes."""

    def __init__(self, processes, scale):
        from transformers import LlamaConfig, LlamaModel

        super().__init__()
        config = LlamaConfig(
            hidden_size=4096 // scale,
            intermediate_size=14336 // scale // processes,
            num_hidden_layers=2,
            num_attention_heads=32 // processes,
            num_key_value_heads=8 // processes,
            head_dim=128 // scale,
            vocab_size=32,
            use_cache=False,
        )
        self.model = LlamaModel(config)
        for layer in self.model.layers:
            layer.self_attn.o_proj = Summed(layer.self_attn.o_proj)
            layer.mlp.down_proj = Summed(layer.mlp.down_proj)

    def forward(self, x):
        return self.model(inputs_embeds=x[None]).last_hidden_state[0]


class Graph:
    """Calls of a function, captured in a CUDA graph."""

    def __init__(self, function, x):
        self.graph, self.y = capture(function, x)

    def poison(self):
        self.y.fill_(float("nan"))

    def __call__(self):
        self.graph.replay()
        return self.y


class Calls:
    """Calls of a function."""

    def __init__(self, function, x):
        self.function, self.x = function, x

    def poison(self):
        # The next result is likely to get the memory that is freed here.
        torch.full_like(self.x, float("nan"))

    def __call__(self):
        return self.function(self.x)


def make_mlp(args, rank):
    """Returns a part of the MLP, inputs for twice the rows, and a function from
    inputs to results in f64, which are computed without other processes."""
    torch.manual_seed(0)
    dtype = DTYPES[args.dtype][0]
    with torch.device(args.device):
        whole = MLP(WIDTH // args.scale, HIDDEN // args.scale).to(dtype)
        x = torch.randn(2 * max(args.rows), WIDTH // args.scale).to(dtype)
    exact = copy.deepcopy(whole).double()
    return Part(whole, rank, args.processes), x, lambda x: exact(x.double())


def make_llama(args, rank):
    """Returns a part of the layers, inputs for twice the rows, and a function
    from inputs to results in f64."""
    torch.manual_seed(rank)
    dtype = DTYPES[args.dtype][0]
    with torch.device(args.device):
        model = Llama(args.processes, args.scale).to(dtype)
        torch.manual_seed(0)
        x = torch.randn(2 * max(args.rows), 4096 // args.scale).to(dtype)
    exact = copy.deepcopy(model).double()
    return model, x, lambda x: exact(x.double())


MODELS = {"mlp": make_mlp, "llama": make_llama}


def line_up(device):
    """Makes the processes begin the next work at the same time, without waiting
    for their hosts."""
    if device == "cuda":
        torch.cuda._sleep(1_000_000)
    distributed.all_reduce(torch.zeros(1, device=device))


def time_of(call, device):
    """Returns the microseconds of a call on this process's device."""
    call.poison()
    line_up(device)
    if device == "cuda":
        return gpu_time(call)
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e6


def gather(value):
    """Returns the values of all processes."""
    values = [None] * distributed.get_world_size()
    distributed.all_gather_object(values, value)
    return values


def compiled(model, x, rank):
    """Returns functions by name, each called once. Prints which operators Grout
    compiles."""
    ways = {
        "eager": model,
        "torch.compile": torch.compile(model, dynamic=False),
        "grout": torch.compile(model, backend="grout", dynamic=False),
    }
    with records.listen() as operators:
        for function in ways.values():
            function(x)
    if rank == 0:
        print(grout.torch.Report(operators))
    return ways


def run(model, x, exact, rows, args, rank):
    torch._dynamo.reset()
    seen, unseen = x[:rows].clone(), x[rows : 2 * rows]
    kind = Graph if args.graph else Calls
    calls = {
        way: kind(function, seen)
        for way, function in compiled(model, seen, rank).items()
    }
    times = {way: [] for way in calls}
    for _ in range(args.repeat):
        for way, call in calls.items():
            times[way].append(time_of(call, args.device))
    seen.copy_(unseen)
    wanted = exact(unseen)
    errors, medians = {}, {}
    for way, call in calls.items():
        call.poison()
        error = relative_error(call(), wanted)
        errors[way] = gather(error)
        medians[way] = statistics.median(map(max, zip(*gather(times[way]))))
    if rank == 0:
        report(rows, medians, errors)
    check(rows, errors, DTYPES[args.dtype][1])


def report(rows, times, errors):
    for way, us in times.items():
        print(
            f"{rows} rows, {way}: {us:.1f} us, errors "
            f"{', '.join(f'{error:.1e}' for error in errors[way])}"
        )
    print(
        f"{rows} rows: torch.compile / grout "
        f"{times['torch.compile'] / times['grout']:.2f}, eager / grout "
        f"{times['eager'] / times['grout']:.2f}",
        flush=True,
    )


def check(rows, errors, limit):
    """Ends the program if an error is above the type's limit, or an error of
    Grout is above twice eager's."""
    limits = {way: limit for way in errors}
    limits["grout"] = min(limit, 2 * max(errors["eager"]))
    for way, found in errors.items():
        if not all(error <= limits[way] for error in found):
            raise SystemExit(f"{rows} rows: {way} is wrong")


def work(rank, args, store):
    """Runs the benchmark in one process."""
    if args.device == "cuda":
        torch.cuda.set_device(rank)
    distributed.init_process_group(
        "nccl" if args.device == "cuda" else "gloo",
        init_method=f"file://{store}",
        rank=rank,
        world_size=args.processes,
        timeout=datetime.timedelta(minutes=5),
    )
    with torch.no_grad():
        model, x, exact = MODELS[args.model](args, rank)
        for rows in args.rows:
            run(model, x, exact, rows, args, rank)
    distributed.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--model", choices=MODELS, default="mlp")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument(
        "--scale",
        type=int,
        default=1,
        help="divides the widths of the model; default: 1",
    )
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument(
        "--no-graph",
        dest="graph",
        action="store_false",
        help="times calls instead of CUDA graphs",
    )
    args = parser.parse_args()
    if args.device == "cpu":
        args.graph = False
    elif torch.cuda.device_count() < args.processes:
        parser.error(
            f"{args.processes} processes need as many GPUs, and "
            f"{torch.cuda.device_count()} are here; --device cpu "
            "needs none"
        )
    if WIDTH % (args.scale * args.processes):
        parser.error(f"--scale times --processes does not divide {WIDTH}")
    print(
        "cpu" if args.device == "cpu" else torch.cuda.get_device_name(),
        torch.__version__,
        f"{args.processes} processes,",
        "CUDA graphs" if args.graph else "calls",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(
            work, (args, pathlib.Path(folder) / "store"), args.processes
        )


if __name__ == "__main__":
    main()
