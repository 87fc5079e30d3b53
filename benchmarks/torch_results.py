"""Results of models, compared with those that wider types give."""

import copy
import math
import pathlib
import sys

import torch
from torch.utils._pytree import tree_map_only

_ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(_ROOT / "python/tests/backend"))

from checking import agrees, error, leaves  # noqa: E402


class Repeated:
    """What runs a model again: a function, whose results are new, or one that
    replays a graph, which writes the same `results` each time."""

    def __init__(self, function, results=None):
        self.function = function
        self._results = results

    def __call__(self):
        returned = self.function()
        return returned if self._results is None else self._results

    def poison(self):
        """Makes results no numbers, so that those of before are not taken for
        new ones."""
        for leaf in leaves(self._results):
            if (
                leaf.is_floating_point()
                and not torch._debug_has_internal_overlap(leaf)
            ):
                leaf.fill_(float("nan"))


@torch.no_grad()
def reference(model, args):
    """What a model gives in the widest type in which PyTorch runs it, and the
    type; its own results and None, if there is none but its own."""
    own = next(
        (
            tensor.dtype
            for tensor in model.parameters()
            if tensor.is_floating_point()
        ),
        torch.float32,
    )
    for dtype in (torch.float64, torch.float32):
        if torch.finfo(dtype).bits <= torch.finfo(own).bits:
            continue
        for has_loops in (False, True):
            try:
                return _in_type(model, args, dtype, has_loops), dtype
            except Exception:  # as what runs in one type only says it
                continue
    return model(*args), None


def _in_type(model, args, dtype, has_loops):
    """With experts one after another, or as they are: PyTorch has products of
    groups in few types only."""
    wide = copy.deepcopy(model).to(dtype)
    if has_loops:
        wide.set_experts_implementation("eager")
    return wide(
        *tree_map_only(
            torch.Tensor,
            lambda x: x.to(dtype) if x.is_floating_point() else x,
            args,
        )
    )


def compare(results, wanted):
    """Errors of each way's result, relative to the largest element of a tensor:
    NaN where other elements are finite, or integers are others. Raises
    AssertionError if one of Grout's is farther from what is wanted than
    eager's allows."""
    errors = {way: _error(result, wanted) for way, result in results.items()}
    for way, result in results.items():
        assert not way.startswith("grout") or agrees(
            result, results["eager"], wanted
        ), f"{way} is wrong: {errors}"
    return errors


def rms_errors(results, wanted):
    """Of each way's result: the root of the mean square of all differences,
    relative to that of what is wanted, where that is finite."""
    return {
        way: _rms_error(leaves(result), leaves(wanted))
        for way, result in results.items()
    }


def _rms_error(got, wanted):
    differences = squares = 0.0
    for x, y in zip(got, wanted, strict=True):
        if y.is_floating_point():
            keep = y.isfinite()
            x, y = x[keep].double(), y[keep].double()
            differences += (x - y).square().sum().item()
            squares += y.square().sum().item()
    return math.sqrt(differences / squares) if squares else 0.0


def _error(result, wanted):
    try:
        return error(result, wanted)
    except AssertionError:
        return math.nan
