#!/usr/bin/env python3
"""Launch policies on a GPU: the same kernels one after another, and side by
side in the order of each policy.

  python benchmarks/torch_policies.py [--only 'googlenet|nasnet'] [--dtype f16]
                                      [--channels-last] [--replays 1000]
                                      [--policies serial,wave] [--trace]

The models are those of torch_real_models.py, with random weights. The calls of
each policy are captured in a CUDA graph; the graphs take turns. Results are
poisoned before each replay. They must be the serial policy's bit by bit, in
each replay, and in as many calls that are issued one by one. Prints for each
model the microseconds of each policy (the median), and how much faster the
policy is than serial. If several of these programs run at the same time, they
use the GPU one after another, once their models are compiled. With --trace,
prints each kernel of one replay: when it starts after the first kernel, how
long it takes, its stream, and its grid. Exits with 1 if a model has failed.
"""

import argparse
import collections
import contextlib
import fcntl
import functools
import json
import pathlib
import re
import statistics
import sys
import tempfile
import traceback

import torch
from torch.utils._pytree import tree_map_only
from torch_models import DTYPES, capture, gpu_time
from torch_real_models import model_check, models
from torch_results import Repeated, leaves

POLICIES = ("serial", "wave", "opara", "nimble")


@contextlib.contextmanager
def alone():
    """Holds a lock, so that no other such process uses the GPU meanwhile."""
    path = pathlib.Path(tempfile.gettempdir()) / "torch_policies.lock"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_replays(name, args):
    model, inputs = model_check.make(models.REAL[name], DTYPES[args.dtype][0])
    model = model.cuda()
    inputs = tree_map_only(torch.Tensor, torch.Tensor.cuda, inputs)
    if args.channels_last:
        model = model.to(memory_format=torch.channels_last)
        inputs = tuple(
            x.to(memory_format=torch.channels_last) if x.dim() == 4 else x
            for x in inputs
        )
    replays = {}
    for policy in args.policies.split(","):
        torch._dynamo.reset()
        compiled = torch.compile(
            model,
            backend="grout",
            dynamic=False,
            options={"launch_policy": policy},
        )
        compiled(*inputs)
        graph, results = capture(lambda _: compiled(*inputs), None)
        # The compiled model keeps alive the memory that the graph reads.
        replays[policy] = (
            Repeated(graph.replay, results),
            functools.partial(compiled, *inputs),
        )
    return replays


def count_others(call, wanted, count):
    """Returns how many of `count` calls give other results than `wanted`."""
    return sum(
        not all(
            torch.equal(x.view(torch.uint8), y.view(torch.uint8))
            for x, y in zip(leaves(call()), wanted, strict=True)
        )
        for _ in range(count)
    )


def check(name, replays, count):
    """Whether all policies give the results of the serial policy."""
    first = replays["serial"][0]
    first.poison()
    wanted = [leaf.clone() for leaf in leaves(first())]
    is_well = True
    for policy, (repeated, call) in replays.items():

        def replay():
            repeated.poison()
            return repeated()

        for what, function in (("replays", replay), ("calls", call)):
            if others := count_others(function, wanted, count):
                print(
                    f"{name} {policy}: {others} of {count} {what} differ "
                    "from serial's",
                    flush=True,
                )
                is_well = False
    return is_well


def show_times(name, replays, repeat):
    times = collections.defaultdict(list)
    for _ in range(repeat):
        for policy, (repeated, _) in replays.items():
            times[policy].append(gpu_time(repeated.function))
    medians = {
        policy: statistics.median(all_[2:]) for policy, all_ in times.items()
    }
    print(
        f"{name}: "
        + ", ".join(
            f"{policy} {time:.1f} us ({medians['serial'] / time:.3f})"
            for policy, time in medians.items()
        ),
        flush=True,
    )


def show_trace(name, policy, repeated):
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        repeated.function()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.json"
        profiled.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    kernels = sorted(
        (
            event
            for event in events
            if event.get("cat", "").startswith(("kernel", "gpu_"))
        ),
        key=lambda event: event["ts"],
    )
    print(f"{name} {policy}, {len(kernels)} kernels:")
    for event in kernels:
        given = event["args"]
        print(
            f"  {event['ts'] - kernels[0]['ts']:9.2f} {event['dur']:7.2f} us"
            f"  stream {given.get('stream')} {given.get('grid', '')} "
            f"{event['name'][:60]}"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default=".")
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--channels-last", action="store_true")
    parser.add_argument("--replays", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=52)
    parser.add_argument(
        "--policies", default=",".join(POLICIES), help="serial and others"
    )
    parser.add_argument("--trace", action="store_true")
    args = parser.parse_args()
    is_well = True
    for name in models.REAL:
        if not re.search(args.only, name):
            continue
        try:
            with torch.no_grad():
                replays = make_replays(name, args)
                with alone():
                    is_well &= check(name, replays, args.replays)
                    show_times(name, replays, args.repeat)
                    if args.trace:
                        for policy in replays:
                            show_trace(name, policy, replays[policy][0])
        except Exception:
            traceback.print_exc()
            is_well = False
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
