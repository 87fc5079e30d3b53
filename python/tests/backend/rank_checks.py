"""Checks of compiled functions that several ranks run together."""

import torch
from checking import error, tolerance
from torch import distributed

from grout.torch import records


def compile(model, **options):
    return torch.compile(
        model, backend="grout", options={"fallback": "error", **options}
    )


def compare(model, *inputs, compiled=None):
    """Compares a compiled model with eager's, on this rank."""
    with torch.no_grad():
        wanted = model(*inputs)
        got = (compiled or compile(model))(*inputs)
    assert error(got, wanted) <= tolerance(got.dtype)
    assert got.stride() == wanted.stride()
    return got


def gather(x):
    """Returns the tensors of all ranks."""
    parts = [torch.empty_like(x) for _ in range(distributed.get_world_size())]
    distributed.all_gather(parts, x)
    return parts


def assert_same(x):
    """The result has the same bits on all ranks."""
    assert all(torch.equal(part, x) for part in gather(x))


def spread(rank, *shape, dtype=torch.float32):
    """Numbers that differ from rank to rank."""
    generator = torch.Generator().manual_seed(rank)
    return torch.randn(shape, generator=generator).to(dtype)


def reasons(model, *inputs, **options):
    """Returns why collectives of a model are left to PyTorch."""
    with torch.no_grad(), records.listen() as operators:
        got = compile(model, fallback="eager", **options)(*inputs)
    assert error(got, model(*inputs)) < 1e-5
    return {
        one.reason
        for one in operators
        if one.operator.startswith("_c10d_functional.")
        and "wait" not in one.operator
    }
