"""Concatenations of concatenations are one, where that is the same."""

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.rewrites import concatenations

aten = torch.ops.aten


def flatten(function, *args):
    """How many concatenations are left; the results are the same."""
    module = make_fx(function)(*args)
    with FakeTensorMode() as mode:
        fake = iter([mode.from_tensor(arg) for arg in args])
        for node in module.graph.nodes:
            if node.op == "placeholder":
                node.meta["val"] = next(fake)
            elif node.op == "call_function":
                node.meta["val"] = node.target(
                    *torch.fx.node.map_arg(
                        node.args, lambda arg: arg.meta["val"]
                    )
                )
    concatenations.flatten(module)
    for got, wanted in zip(module(*args), function(*args), strict=True):
        assert torch.equal(got, wanted)
        assert got.stride() == wanted.stride()
    return sum(node.target is aten.cat.default for node in module.graph.nodes)


def draw(*shapes, dtype=torch.float32):
    return [torch.randn(shape).to(dtype) for shape in shapes]


@pytest.mark.parametrize("axis", (1, -2))
def test_a_concatenation_takes_the_parts_of_another_one(axis):
    def function(a, b, c):
        inner = torch.cat([torch.cat([a, b], 1), c], axis)
        return (torch.cat([c, inner, a], 1),)

    assert flatten(function, *draw((2, 3, 4), (2, 1, 4), (2, 2, 4))) == 1


def test_others_stay():
    a, b, c = draw((2, 3), (2, 3), (2, 6))
    # Along another axis, or used elsewhere, or twice.
    assert (
        flatten(
            lambda a, b, c: (torch.cat([torch.cat([a, b], 1), c], 0),), a, b, c
        )
        == 2
    )

    def used_twice(a, b):
        inner = torch.cat([a, b], 1)
        return inner, torch.cat([inner, a], 1)

    assert flatten(used_twice, a, b) == 2
    assert flatten(
        lambda a, b: (torch.cat([torch.cat([a, b], 1)] * 2, 1),), a, b
    ) in (2, 3)


def test_other_types_stay():
    (a,) = draw((2, 3), dtype=torch.float16)
    (b,) = draw((2, 3))
    large = torch.full((2, 3), 2**24 + 1)
    assert (
        flatten(lambda a, b: (torch.cat([torch.cat([a, a], 1), b], 1),), a, b)
        == 2
    )
    assert (
        flatten(
            lambda a, b: (torch.cat([torch.cat([a, b], 1), b], 1),), large, b
        )
        == 2
    )
