#!/usr/bin/env python3
"""Models of transformers, timm and torchvision on a GPU, in the real sizes of
scripts/check-models and with random weights: Grout, torch.compile's default,
and eager.

  python benchmarks/torch_real_models.py [--only 't5|vit'] [--dtype f16]
                                         [--channels-last] [--batch 8]
                                         [--kernels 10] [--tuned]

Models are compiled at the same time, each in a process of its own. With
--tuned, they are compiled in the modes max-autotune, too, and then one after
another. Then each model is measured alone: each way to run it is a CUDA graph,
or is issued call by call if one way cannot be captured; the ways take turns.
Grout has the option launch_policy="wave". Results are poisoned before, and
compared with results in f64: they must be as near as eager's. If PyTorch cannot
run a model in f64, its results are compared with f32's, or else with eager's. Prints for each model microseconds (the
median), the errors, and how much faster Grout is than torch.compile's default,
and in mode max-autotune than torch.compile in that mode. Exits with 1 if a
model has failed.
"""

import argparse
import collections
import functools
import multiprocessing
import pathlib
import re
import statistics
import sys
import time

import torch
from torch.utils._pytree import tree_map_only

_ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT / "python/tests/backend"))

import model_check  # noqa: E402
import models  # noqa: E402
from torch_models import DTYPES, TUNED, WAYS, capture, gpu_time  # noqa: E402
from torch_results import Repeated, compare, reference, rms_errors  # noqa: E402


def _repeated(x, times):
    """Returns `times` as many samples as x has. Numbers are drawn anew; others,
    such as the ids of tokens, are repeated."""
    x = x.repeat(times, *(1,) * (x.dim() - 1))
    return torch.randn_like(x) if x.is_floating_point() else x


def _options(backend, mode):
    """Returns how a model is compiled for a CUDA graph. In its default mode,
    Grout does not know that there will be one."""
    if backend == "grout" and mode is None:
        return {"options": {"launch_policy": "wave"}}
    return {"mode": mode}


class _Measured:
    """A model that is compiled in each way, and ready to be replayed."""

    def __init__(self, name, dtype, channels_last, batch, ways):
        import grout.torch
        from grout.torch import records

        torch.backends.cudnn.benchmark = True
        model, args = model_check.make(models.REAL[name], DTYPES[dtype][0])
        model = model.cuda()
        args = tree_map_only(torch.Tensor, torch.Tensor.cuda, args)
        if batch > 1:
            args = tree_map_only(
                torch.Tensor, lambda x: _repeated(x, batch), args
            )
        if channels_last:
            model = model.to(memory_format=torch.channels_last)
            args = tuple(
                x.to(memory_format=torch.channels_last) if x.dim() == 4 else x
                for x in args
            )
        self._wanted, self.reference = reference(model, args)
        torch.cuda.empty_cache()
        functions, self.seconds = {}, {}
        with torch.no_grad(), records.listen() as operators:
            for way, (backend, mode) in ways.items():
                begin = time.monotonic()
                functions[way] = functools.partial(
                    model
                    if backend == "eager"
                    else torch.compile(
                        model,
                        backend=backend,
                        dynamic=False,
                        **_options(backend, mode),
                    ),
                    *args,
                )
                functions[way]()
                self.seconds[way] = time.monotonic() - begin
            self._replays = self._capture(functions)
        # This keeps alive the weights and inputs that the graphs read.
        self._functions = functions
        self.share = grout.torch.Report(operators).share_of_operators

    def _capture(self, functions):
        """Returns a Repeated for each way. Either all ways are captured, or
        none."""
        try:
            captured = {
                way: capture(lambda _: function(), None)
                for way, function in functions.items()
            }
        except RuntimeError as problem:
            self.problem = str(problem).splitlines()[0]
            torch.cuda.synchronize()
            return {
                way: Repeated(function) for way, function in functions.items()
            }
        self.problem = ""
        return {
            way: Repeated(graph.replay, results)
            for way, (graph, results) in captured.items()
        }

    @torch.no_grad()
    def _replay(self, way):
        self._replays[way].poison()
        return gpu_time(self._replays[way].function)

    @torch.no_grad()
    def errors(self):
        """Returns for each way the largest error, relative to the largest
        element, and the root mean square error. Raises AssertionError if an
        error is too large."""
        results = {}
        for way, repeated in self._replays.items():
            repeated.poison()
            results[way] = repeated()
        largest = compare(results, self._wanted)
        mean = rms_errors(results, self._wanted)
        return {way: (largest[way], mean[way]) for way in results}

    def times(self, repeat):
        """Returns the median microseconds of each way."""
        times = collections.defaultdict(list)
        for _ in range(repeat + 2):
            for way in self._replays:
                times[way].append(self._replay(way))
        return {way: statistics.median(all_[2:]) for way, all_ in times.items()}

    @torch.no_grad()
    def kernels(self, way, count):
        """Returns the kernels that take longest: their names, their counts, and
        their microseconds in all."""
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as profiled:
            self._replays[way]()
            torch.cuda.synchronize()
        found = [
            event
            for event in profiled.key_averages()
            if event.device_time_total
        ]
        found.sort(key=lambda event: -event.device_time_total)
        return [
            (event.key, event.count, event.device_time_total)
            for event in found[:count]
        ]


def _serve(connection, name, args):
    try:
        ways = WAYS | TUNED if args.tuned else WAYS
        measured = _Measured(
            name, args.dtype, args.channels_last, args.batch, ways
        )
        connection.send("")
        connection.recv()
        connection.send(
            (
                measured.errors(),
                measured.times(args.repeat),
                measured.seconds,
                measured.share,
                measured.problem,
                measured.reference,
                {
                    way: measured.kernels(way, args.kernels)
                    for way in ways
                    if args.kernels
                },
            )
        )
    except Exception as raised:
        connection.send(f"{type(raised).__name__}: {raised}")


def _show(name, errors, times, seconds, share, problem, dtype, kernels):
    if problem:
        print(f"{name} is issued call by call: {problem}")
    if dtype != torch.float64:
        print(
            f"{name} has no f64; it is compared with "
            f"{'eager' if dtype is None else 'f32'}"
        )
    for way in times:
        largest, mean = errors[way]
        print(
            f"{name} {way}: {times[way]:.1f} us, error {largest:.1e}, RMS "
            f"{mean:.2e}, ready in {seconds[way]:.1f} s"
        )
        for kernel, count, total in kernels.get(way, ()):
            print(f"  {total:9.1f} us {count:5} x {kernel[:80]}")
    print(
        f"{name}: torch.compile / grout "
        f"{times['torch.compile'] / times['grout']:.2f}, eager / grout "
        f"{times['eager'] / times['grout']:.2f}, {share:.1%} of operators in "
        "Grout",
        flush=True,
    )
    if "grout, tuned" in times:
        tuned = times["grout, tuned"]
        print(
            f"{name}, tuned: torch.compile / grout "
            f"{times['torch.compile, tuned'] / tuned:.2f}, grout / tuned "
            f"{times['grout'] / tuned:.2f}",
            flush=True,
        )


def _receive(connection):
    try:
        return connection.recv()
    except EOFError:
        return "the process has ended"


def run(names, args):
    """Measures models; returns whether all went well. Models whose compilation
    measures are compiled alone."""
    if args.tuned and len(names) > 1:
        return all([run([name], args) for name in names])
    context = multiprocessing.get_context("spawn")
    workers, is_well = [], True
    for name in names:
        connection, other = context.Pipe()
        process = context.Process(
            target=_serve, args=(other, name, args), daemon=False
        )
        process.start()
        other.close()
        workers.append((name, connection, process))
    ready = [
        (name, connection, _receive(connection))
        for name, connection, _ in workers
    ]
    for name, connection, problem in ready:
        if not problem:
            connection.send("measure")
            outcome = _receive(connection)
            if not isinstance(outcome, str):
                _show(name, *outcome)
                continue
            problem = outcome
        is_well = False
        print(f"{name}: {problem}", flush=True)
    for _, connection, process in workers:
        connection.close()
        process.join()
    return is_well


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        metavar="REGEX",
        type=re.compile,
        default=re.compile(""),
        help="models by their names",
    )
    parser.add_argument("--dtype", choices=DTYPES, default="f16")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument(
        "--channels-last",
        action="store_true",
        help="the layout of images and of weights",
    )
    parser.add_argument(
        "--batch",
        type=int,
        default=1,
        metavar="N",
        help="N times as many images or sequences",
    )
    parser.add_argument(
        "--tuned", action="store_true", help="in mode max-autotune, too"
    )
    parser.add_argument(
        "--kernels",
        type=int,
        default=0,
        metavar="N",
        help="also the N that take longest, of each way",
    )
    args = parser.parse_args()
    if args.batch < 1:
        parser.error(f"--batch is a number from 1 on, not {args.batch}")
    names = [
        name
        for name, model in models.REAL.items()
        if "h200" in model.targets and args.only.search(name)
    ]
    if not names:
        parser.error(
            f"no model is called {args.only.pattern}; there are "
            + ", ".join(models.REAL)
        )
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    sys.exit(not run(names, args))


if __name__ == "__main__":
    main()
