"""torch.compile of many cases. It takes seconds for each, so processes beside
each other fill Inductor's cache first, and whoever measures compiles from that.
"""

import functools
import os
import time

import workers
from watchdog import Overdue, deadline

from memory_bound import manifest
from memory_bound.names import TORCH_COMPILE

# Of one case.
_SECONDS = 120


def prepare():
    """Before `torch` is imported; processes that are started have it from here.
    The settings are part of the cache's keys."""
    # There is a process for each processor already.
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    # What is timed while others use the GPU is not to be kept.
    os.environ["TORCHINDUCTOR_AUTOTUNE_LOCAL_CACHE"] = "0"


def compiled(torch, case, inputs):
    """The case's function, compiled for such inputs."""
    # Nothing that was compiled for another case is kept, nor looked up.
    torch._dynamo.reset()
    function = torch.compile(
        case.function(torch), fullgraph=True, dynamic=False
    )
    with torch.no_grad():
        function(*inputs)
    torch.cuda.synchronize()
    return function


class _Filler:
    def __init__(self, folder):
        import torch

        self._torch = torch
        self._cases = {case.name: case for case, _ in manifest.load(folder)}

    def __call__(self, name):
        case = self._cases[name]
        compiled(self._torch, case, case.zeros(self._torch))


def _headline(problem):
    lines = [line.strip() for line in problem.splitlines() if line.strip()]
    return " ".join(lines[:2])[:300]


class Peer:
    """Compiles cases within `budget` seconds, all in all."""

    def __init__(self, torch, budget, say):
        self._torch = torch
        self._left = budget
        self._say = say
        self._problems = {}

    def fill(self, folder, names, jobs):
        """The cache, with as many processes as `jobs`."""
        start = time.monotonic()
        for number, outcome in enumerate(
            workers.run(
                functools.partial(_Filler, folder),
                names,
                jobs,
                _SECONDS,
                self._left,
            ),
            1,
        ):
            if outcome.problem:
                self._problems[outcome.task] = _headline(outcome.problem)
            if number % 10 == 0 or number == len(names):
                self._say(
                    f"{TORCH_COMPILE}: [{number}/{len(names)}] "
                    f"{time.monotonic() - start:.0f} s"
                )
        self._left -= time.monotonic() - start

    def make(self, case, inputs):
        """A compiled function, and why there is none."""
        if case.name in self._problems:
            return None, self._problems[case.name]
        if self._left <= 0:
            return None, workers.NOT_BEGUN
        start = time.monotonic()
        try:
            with deadline(self._left):
                return compiled(self._torch, case, inputs), ""
        except Overdue:
            return None, workers.OVERDUE
        except Exception as error:
            return None, _headline(f"{type(error).__name__}: {error}")
        finally:
            self._left -= time.monotonic() - start
