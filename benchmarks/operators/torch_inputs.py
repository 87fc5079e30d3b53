"""As inputs.py and comparison.py, with PyTorch's tensors on its device: for
extents at which NumPy takes too long."""

import math

import numpy as np

from operators import comparison, inputs, on_torch, semantics
from operators.on_torch import Precision


def choose(torch, graph, device):
    """(inputs, expected results) that are well conditioned, as inputs.choose
    has them; None if no attempt is."""
    of_ranges = np.random.default_rng(inputs.seed(graph))
    generator = torch.Generator(device)
    generator.manual_seed(inputs.seed(graph))
    for ranges, integers in inputs.attempts(graph, of_ranges):
        drawn = _draw(torch, graph, device, generator, ranges, integers)
        expected = evaluate(torch, graph, drawn, Precision.ROUNDED, device)
        if not (
            inputs.may_be_infinite(graph)
            or all(tensor.isfinite().all() for tensor in expected)
        ):
            continue
        exact = evaluate(torch, graph, drawn, Precision.EXACT, device)
        if not differences(torch, graph, exact, expected, inputs.CONDITIONED):
            return drawn, expected
    return None


def evaluate(torch, graph, arrays, precision, device):
    with torch.no_grad():
        return on_torch.evaluate(torch, graph, arrays, precision, device)


def _draw(torch, graph, device, generator, ranges, integers):
    bounds = inputs.index_bounds(graph)
    tensors = []
    for i, (tensor, (low, high)) in enumerate(zip(graph.inputs, ranges)):

        def uniform():
            values = torch.rand(
                tensor.shape, generator=generator, device=device
            )
            return values * (high - low) + low

        def integer(first, end):
            return torch.randint(
                first,
                end,
                tensor.shape,
                device=device,
                generator=generator,
                dtype=torch.int32,
            )

        if tensor.dtype == "bool":
            drawn = integer(0, 2).bool()
        elif tensor.dtype in semantics.INTEGERS:
            drawn = integer(0, bounds[i]) if i in bounds else integer(*integers)
        elif tensor.dtype == "complex64":
            drawn = torch.complex(uniform(), uniform())
        else:
            drawn = uniform().to(on_torch.dtype(torch, tensor.dtype))
        if (
            i == 0
            and tensor.dtype in semantics.FLOATS
            and inputs.has_infinity(graph)
        ):
            place = torch.randint(
                tensor.elements, (), generator=generator, device=device
            )
            drawn.view(-1)[place] = math.inf
        tensors.append(drawn)
    return tensors


def results(torch, graph, device):
    """Tensors for what the graph computes."""
    return [
        torch.empty(
            tensor.shape,
            device=device,
            dtype=on_torch.dtype(torch, tensor.dtype),
        )
        for tensor in map(graph.type, graph.results)
    ]


def poison(torch, tensors):
    """Bytes 0xFF: NaN, -1, or no truth value."""
    for tensor in tensors:
        tensor.view(-1).view(torch.uint8).fill_(0xFF)


def differences(torch, graph, actual, expected, part=1.0):
    """A line for each result that is off by more than `part` of what
    comparison.py allows."""
    allowed = part * comparison.tolerance(graph)
    lines = []
    for i, (got, want) in enumerate(zip(actual, expected)):
        if not (want.is_floating_point() or want.is_complex()):
            if want.dtype == torch.bool:
                got, want = got.view(torch.uint8), want.view(torch.uint8)
            wrong = (got != want).sum().item()
            if wrong:
                lines.append(f"result {i}: {wrong} of {want.numel()} differ")
            continue
        wide = torch.complex128 if want.is_complex() else torch.float64
        got, want = got.to(wide), want.to(wide)
        finite = want.isfinite()
        same = (got == want) | (got.isnan() & want.isnan())
        odd = (~finite & ~same).any().item()
        magnitude = torch.where(finite, want, 0).abs()
        error = torch.where(finite, got - want, 0).abs()
        ratio = error / (magnitude + magnitude.mean() + 1e-30)
        most = ratio.nan_to_num(nan=math.inf).max().item()
        if odd or most > allowed:
            lines.append(
                f"result {i}: off by {most:.2g}, more than "
                f"{allowed:.2g}"
                + (", and infinities or NaNs differ" if odd else "")
            )
    return lines
