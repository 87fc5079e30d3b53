"""Compares results of models with results in wider types."""

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
    """Runs a model again. `function` either returns new results, or replays a
    graph, which writes the same `results` each time."""

    def __init__(self, function, results=None):
        self.function = function
        self._results = results

    def __call__(self):
        returned = self.function()
        return returned if self._results is None else self._results

    def poison(self):
        """Fills the results with NaN, so that old results are not taken for new
        ones."""
        for leaf in leaves(self._results):
            if (
                leaf.is_floating_point()
                and not torch._debug_has_internal_overlap(leaf)
            ):
                leaf.fill_(float("nan"))


@torch.no_grad()
def reference(model, args):
    """Returns the results of a model in the widest type in which PyTorch runs
    it, and this type. If there is no wider type, returns the model's own
    results, and None."""
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
            except Exception:  # a model may support one type only
                continue
    return model(*args), None


def _in_type(model, args, dtype, has_loops):
    """Returns the results of a model in a type. With `has_loops`, experts run
    one after another, because PyTorch has grouped GEMMs in few types only."""
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
    """Returns the error of each way's results, relative to the largest element
    of a tensor. It is NaN if other elements are finite, or if integers differ.
    Raises AssertionError if a result of Grout is farther from `wanted` than
    eager's result allows."""
    errors = {way: _error(result, wanted) for way, result in results.items()}
    for way, result in results.items():
        assert not way.startswith("grout") or agrees(
            result, results["eager"], wanted
        ), f"{way} is wrong: {errors}"
    return errors


def rms_errors(results, wanted):
    """Returns for each way the root mean square of all differences, relative to
    that of `wanted`, where `wanted` is finite."""
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
