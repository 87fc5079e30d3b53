"""Graphs are cut where PyTorch runs what is between Grout's segments."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.compilation import segments
from grout.torch.graph.nodes import UNIT

aten = torch.ops.aten


def cut(function, *shapes, units=()):
    """The module, and its segments; sines are PyTorch's. `units` are lists of
    operators that are one."""
    module = make_fx(function)(*map(torch.randn, shapes))
    for node in module.graph.nodes:
        for number, unit in enumerate(units):
            if node.target in unit:
                node.meta[UNIT] = number
    return module, segments.cut(
        module.graph,
        lambda node: node.target is not aten.sin.default,
        lambda node: None,
    )


def run(module, parts, *args):
    extracted = [segments.extract(module, part) for part in parts]
    return extracted, segments.assemble(
        module, extracted, [one.module.forward for one in extracted]
    ).forward(*args)


@pytest.mark.parametrize("make", (torch.arange, torch.ones, torch.zeros))
def test_constants_are_in_each_segment(make):
    def function(x):
        count = make(4)
        x = torch.sin((x + count) * 2)
        return x * count, torch.full((2,), 3.0)

    module, parts = cut(function, (2, 4))
    x = torch.randn(2, 4)
    extracted, got = run(module, parts, x)
    assert [part.is_grout for part in parts] == [True, False, True]
    for part in (parts[0], parts[2]):
        assert [node.target._opname for node in part.copied] == [make.__name__]
    # Only what is computed passes from one to the next, and what is asked for.
    assert [len(one.inputs) for one in extracted] == [1, 1, 1]
    assert [len(one.outputs) for one in extracted] == [1, 1, 2]
    for result, wanted in zip(got, function(x)):
        assert torch.equal(result, wanted)


def test_constants_alone_are_a_segment():
    module, parts = cut(lambda x: torch.full((2,), 3.0), (4,))
    assert [part.is_grout for part in parts] == [True]
    _, got = run(module, parts, torch.randn(4))
    assert torch.equal(got, torch.full((2,), 3.0))


def test_refused_constants_are_passed_on():
    module = make_fx(lambda x: torch.sin(x + torch.arange(4)))(torch.randn(4))
    parts = segments.cut(
        module.graph,
        lambda node: node.target is aten.add.Tensor,
        lambda node: None,
    )
    x = torch.randn(4)
    extracted, got = run(module, parts, x)
    assert not any(part.copied for part in parts)
    assert torch.equal(got, torch.sin(x + torch.arange(4)))


def kind_of(parts, target):
    return [
        i
        for i, part in enumerate(parts)
        if target in [node.target for node in part.nodes]
    ]


def test_units_are_in_one_segment():
    def function(q, k, mask):
        product = torch.mm(q, k)
        scores = torch.softmax(product + torch.sin(mask), -1)
        return scores, torch.sin(product)

    shapes = (4, 8), (8, 4), (4, 4)
    unit = (aten.mm.default, aten.add.Tensor, aten._softmax.default)
    _, parts = cut(function, *shapes)
    assert kind_of(parts, aten.mm.default) != kind_of(parts, aten.add.Tensor)
    module, parts = cut(function, *shapes, units=[unit])
    assert kind_of(parts, aten.mm.default) == kind_of(parts, aten.add.Tensor)
    args = [torch.randn(shape) for shape in shapes]
    for got, wanted in zip(run(module, parts, *args)[1], function(*args)):
        assert torch.equal(got, wanted)


def test_what_later_segments_use_is_in_the_first_of_them():
    def function(x, scale, shift):
        factor, offset = scale.rsqrt(), shift.neg()
        x = torch.sin(x) * factor
        return torch.sin(x) * factor + offset

    module, parts = cut(function, (4, 8), (8,), (8,))
    assert [part.is_grout for part in parts] == [False, True, False, True]
    assert kind_of(parts, aten.rsqrt.default) == [1]
    assert kind_of(parts, aten.neg.default) == [3]
    args = torch.randn(4, 8), torch.rand(8) + 1, torch.randn(8)
    assert torch.equal(run(module, parts, *args)[1], function(*args))


def test_units_do_not_wait_for_themselves():
    def function(q, k):
        return torch.mm(torch.sin(torch.mm(q, k)).neg(), q)

    module, parts = cut(function, (4, 4), (4, 4), units=[(aten.mm.default,)])
    args = torch.randn(4, 4), torch.randn(4, 4)
    assert (
        sum(
            aten.mm.default in [node.target for node in part.nodes]
            for part in parts
            if part.is_grout
        )
        == 2
    )
    assert torch.equal(run(module, parts, *args)[1], function(*args))


def cut_by_layer(function, *shapes):
    """The names of the nodes of each segment; what adds is layer 0, what
    multiplies 1, and what subtracts 2."""
    module = make_fx(function)(*map(torch.randn, shapes))
    layers = {aten.add.Tensor: 0, aten.mul.Tensor: 1, aten.sub.Tensor: 2}
    parts = segments.cut(
        module.graph, lambda node: True, lambda node: layers.get(node.target)
    )
    return [[node.name for node in part.nodes] for part in parts]


def test_layers_that_follow_each_other_are_segments():
    assert cut_by_layer(lambda x: torch.exp(x + 1) * 2 - 3, (4,)) == [
        ["add", "exp"],
        ["mul"],
        ["sub"],
    ]
    # What comes from before all layers may go to all of them.
    assert cut_by_layer(lambda x, y: (x + y) * y, (4,), (4,)) == [
        ["add"],
        ["mul"],
    ]


def test_branches_of_convolutions_are_one_segment():
    def convolve(x, w):
        return aten.convolution(
            x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1
        )

    def branches(x, w):
        first = x + 1
        return torch.maximum(convolve(first * 2, w), convolve(first - 1, w))

    shapes = (1, 4, 5, 5), (4, 4, 1, 1)
    assert cut_by_layer(branches, *shapes) == [
        ["add"],
        ["mul", "convolution", "sub", "convolution_1", "maximum"],
    ]

    # One after another they are not, nor are branches of something else.
    def layers(x, w):
        return convolve(convolve(x + 1, w) * 2, w) - 3

    assert cut_by_layer(layers, *shapes) == [
        ["add", "convolution"],
        ["mul", "convolution_1"],
        ["sub"],
    ]
    assert cut_by_layer(lambda x: torch.maximum(x + 1, x * 2), (4,)) == [
        ["add"],
        ["mul", "maximum"],
    ]


def test_nothing_moves_past_an_update():
    def function(x, cache):
        before = cache.view(-1).clone()
        wave = torch.sin(x)
        cache.copy_(wave)
        return torch.sin(wave).view(-1) + before

    module, parts = cut(function, (2, 4), (2, 4))
    (update,) = kind_of(parts, aten.copy_.default)
    assert kind_of(parts, aten.clone.default)[0] <= update
    x, cache = torch.randn(2, 4), torch.randn(2, 4)
    got = run(module, parts, x, cache.clone())[1]
    assert torch.equal(got, function(x, cache.clone()))
