"""Compares what is compiled with PyTorch in f64."""

import copy

import torch
from torch.utils._pytree import tree_map


def leaves(value):
    """The tensors of a result, in their order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return []


def wide(value):
    """In f64, whatever tensors of numbers with a fraction are in it."""
    return tree_map(
        lambda leaf: (
            leaf.double()
            if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
            else leaf
        ),
        value,
    )


def widen(model):
    """Makes the model one in f64. PyTorch has no product of groups of f64, so
    that experts of transformers become a loop."""
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("eager")
    return model.double()


def error(got, wanted, by_element=False):
    """The largest difference, by the largest element of its tensor, or else
    by the element itself."""
    worst = 0.0
    for x, y in zip(leaves(got), leaves(wanted), strict=True):
        assert x.shape == y.shape
        if not x.is_floating_point():
            assert torch.equal(x, y)
            continue
        least = torch.finfo(x.dtype).tiny
        x, y = x.double(), y.double()
        keep = y.isfinite()
        assert torch.equal(x.isfinite(), keep)
        assert torch.equal(x.isnan(), y.isnan())
        if keep.any():
            scale = (
                y[keep].abs().clamp(min=least)
                if by_element
                else y[keep].abs().max().item() or 1.0
            )
            worst = max(worst, ((x - y)[keep].abs() / scale).max().item())
    return worst


def tolerance(dtype):
    """Of results that are rounded in another order than eager's."""
    return {
        torch.float64: 1e-12,
        torch.float32: 2e-6,
        torch.float16: 4e-3,
        torch.bfloat16: 3e-2,
    }[dtype]


def limit(eager, wanted, by_element=False):
    """What may be wrong, where eager's results are as wrong as they are."""
    narrowest = min(
        (leaf.dtype for leaf in leaves(eager) if leaf.is_floating_point()),
        key=lambda dtype: -torch.finfo(dtype).eps,
        default=torch.float32,
    )
    return max(2 * error(eager, wanted, by_element), tolerance(narrowest) / 2)


def _alike(x, y):
    """Whether the same elements are infinite, and the same no numbers."""
    return all(
        torch.equal(is_so(x), is_so(y))
        for is_so in (torch.isnan, torch.isposinf, torch.isneginf)
    )


def _is_near(x, eager, wanted, by_element):
    if x.is_complex():
        return _is_near(
            *(
                torch.view_as_real(part.resolve_conj())
                for part in (x, eager, wanted)
            ),
            by_element,
        )
    if not x.is_floating_point():
        return torch.equal(x, eager)
    if not _alike(x, wanted):  # as where f16 overflows
        return _alike(x, eager) and error(x, eager, by_element) <= limit(
            eager, eager, by_element
        )
    if not _alike(eager, wanted):
        return error(x, wanted, by_element) <= tolerance(x.dtype) / 2
    return error(x, wanted, by_element) <= limit(eager, wanted, by_element)


def agrees(got, eager, wanted, by_element=False):
    """Whether results are as near to f64's as eager's, by each tensor's largest
    element, or else each by itself; those that rounding decides (truth values,
    integers, what overflows) are to be eager's."""
    return all(
        (x.dtype, x.shape) == (y.dtype, y.shape)
        and _is_near(x, y, z, by_element)
        for x, y, z in zip(
            leaves(got), leaves(eager), leaves(wanted), strict=True
        )
    )


def check_forward(model, args, **options):
    """The operators of `model`, whose results are as near to f64's as eager's."""
    from grout.torch import records

    model = model.eval()
    options.setdefault("fallback", "eager")
    with torch.no_grad():
        wanted = widen(copy.deepcopy(model))(*map(wide, args))
        eager = model(*args)
        with records.listen() as operators:
            got = torch.compile(model, backend="grout", options=options)(*args)
    assert error(got, wanted) <= limit(eager, wanted)
    return [operator for operator in operators if not operator.is_view]


def share(operators):
    """Of the operators that Grout runs."""
    return sum(operator.partition is not None for operator in operators) / len(
        operators
    )
