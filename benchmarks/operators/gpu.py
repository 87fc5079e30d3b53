"""Runs artifacts on a GPU, and compares with PyTorch's results in f64."""

import functools

import grout_runtime
import workers
from errors import UserError

from operators import artifacts, checking
from operators.checking import Outcome

# Of one row; what takes longer hangs.
_SECONDS = 60


class _Gpu:
    def __init__(self, folder, library):
        try:
            import torch
        except ImportError as error:
            raise UserError(f"gpu needs PyTorch: {error}") from error
        if not torch.cuda.is_available():
            raise UserError("gpu needs a GPU, and PyTorch sees none")
        self._torch = torch
        self._folder = folder
        self._runtime = grout_runtime.Runtime(library)

    def __call__(self, entry):
        """A status and a reason."""
        from operators import torch_inputs

        torch, graph = self._torch, entry.graph
        # Others are on this GPU, too.
        torch.cuda.empty_cache()
        chosen = torch_inputs.choose(torch, graph, "cuda")
        if chosen is None:
            return checking.ILL_CONDITIONED, checking.NO_INPUTS
        arrays, expected = chosen
        results = torch_inputs.results(torch, graph, "cuda")
        torch_inputs.poison(torch, results)
        session = self._runtime.session(
            artifacts.path(self._folder, entry.label)
        )
        session.run(arrays, results)
        torch.cuda.synchronize()
        lines = torch_inputs.differences(torch, graph, results, expected)
        return (
            (checking.DIFFERS, "; ".join(lines))
            if lines
            else (checking.AGREES, "")
        )


def check(folder, library, entries, jobs, seconds):
    """An outcome of each entry, as they come."""
    for entry in entries:
        if not entry.graph:
            yield Outcome(entry, entry.status, entry.reason)
    for done in workers.run(
        functools.partial(_Gpu, folder, library),
        [entry for entry in entries if entry.graph],
        jobs,
        _SECONDS,
        seconds,
    ):
        if done.problem:
            status = (
                checking.NOT_RUN
                if done.problem == workers.NOT_BEGUN
                else checking.FAILED
            )
            yield Outcome(done.task, status, done.problem)
        else:
            yield Outcome(done.task, *done.result)
