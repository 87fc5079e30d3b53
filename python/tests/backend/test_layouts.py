"""Convolutions of images with channels first are Grout's on GPUs, with channels
last. Graphs are traced on tensors that have no memory, so no GPU is needed."""

import pytest
import torch
from checking import error, tolerance, wide
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

from grout import targets
from grout.torch.rewrites import convolutions, layouts

aten = torch.ops.aten
H200 = targets.get("h200")


def normal(*shape, dtype=torch.float16):
    return torch.randn(shape).to(dtype)


def changed(function, *operands, target=H200):
    graph = make_fx(function, tracing_mode="fake")(*operands)
    layouts.put_channels_last(graph, target)
    graph.graph.lint()
    return graph


def of(graph, operator):
    return list(graph.graph.find_nodes(op="call_function", target=operator))


def stem_and_blocks(x, stem, first, second):
    """The stem is PyTorch's. Two convolutions share their weights."""
    x = functional.conv2d(x, stem, padding=1)
    y = torch.relu(functional.conv2d(x, first, padding=1) * 2)
    y = functional.conv2d(y, first, padding=1)
    return functional.conv2d(x + y, second).mean((2, 3))


STEM_AND_BLOCKS = ((2, 3, 8, 10), (16, 3, 3, 3), (16, 16, 3, 3), (8, 16, 2, 2))


def test_weights_are_copied_once_at_the_beginning():
    torch.manual_seed(0)
    operands = [normal(*shape) for shape in STEM_AND_BLOCKS]
    graph = changed(stem_and_blocks, *operands)
    found = of(graph, aten.convolution.default)
    assert len(found) == 4
    assert not any(
        convolutions.wants_channels_last(node, H200) for node in found
    )
    copies = of(graph, aten.clone.default)
    assert len(copies) == 3
    nodes = list(graph.graph.nodes)
    assert [nodes[len(operands) + i] for i in range(3)] == copies
    assert error(
        graph(*operands), stem_and_blocks(*map(wide, operands))
    ) < tolerance(torch.float16)


def test_what_is_known_of_values_is_true():
    """Of the CPU, on which it is run here."""
    operands = [normal(*shape) for shape in STEM_AND_BLOCKS]
    graph = changed(stem_and_blocks, *operands)

    class Compared(torch.fx.Interpreter):
        def run_node(self, n):
            value = super().run_node(n)
            if n.op == "call_function":
                assert value.shape == n.meta["val"].shape
                assert value.stride() == n.meta["val"].stride(), n
            return value

    Compared(graph).run(*operands)


@pytest.mark.parametrize("results", [1, 2])
def test_results_are_turned_back(results):
    """Not if all would be, for the backward pass."""

    def function(x, w):
        y = functional.conv2d(x, w, padding=1)
        z = functional.conv2d(torch.relu(y), w, padding=1)
        return (z, y)[:results]

    operands = [normal(1, 8, 6, 6), normal(8, 8, 3, 3)]
    graph = changed(function, *operands)
    wanted = function(*map(wide, operands))
    got = graph(*operands)
    assert error(got, wanted) < tolerance(torch.float16)
    assert [y.stride() for y in got] == [y.stride() for y in wanted]
    assert any(
        convolutions.wants_channels_last(node, H200)
        for node in of(graph, aten.convolution.default)
    ) == (results == 2)


def test_views_see_what_they_saw():
    def function(x, w):
        y = functional.conv2d(x, w, padding=1)
        y = torch.relu(functional.conv2d(y, w, padding=1))
        return (
            aten.view(y, [2, 8 * 36]) + 1,
            aten.as_strided(y, [2, 3], [288, 1]),
        )

    operands = [normal(2, 8, 6, 6), normal(8, 8, 3, 3)]
    graph = changed(function, *operands)
    assert len(of(graph, aten.clone.default)) == 3
    assert error(graph(*operands), function(*map(wide, operands))) < tolerance(
        torch.float16
    )


@pytest.mark.parametrize(
    "target, dtype",
    [("cpu", torch.float16), ("a100", torch.float16), ("h200", torch.float32)],
)
def test_where_there_are_no_such_convolutions(target, dtype):
    operands = [
        normal(1, 8, 6, 6, dtype=dtype),
        normal(8, 8, 3, 3, dtype=dtype),
    ]
    graph = changed(functional.conv2d, *operands, target=targets.get(target))
    assert not of(graph, aten.clone.default)


def inverted(x, expand, alone, project):
    """A block whose images nothing but the convolution of each channel alone
    has with channels last."""
    y = torch.relu(functional.conv2d(x, expand))
    y = torch.relu(functional.conv2d(y, alone, padding=2, stride=2, groups=24))
    return functional.conv2d(y, project).sum((2, 3))


def test_images_are_turned_for_each_channel_alone():
    torch.manual_seed(0)
    operands = [
        normal(2, 16, 9, 7),
        normal(24, 16, 1, 1),
        normal(24, 1, 5, 5),
        normal(16, 24, 1, 1),
    ]
    graph = changed(inverted, *operands)
    alone = next(
        node
        for node in of(graph, aten.convolution.default)
        if convolutions.is_depthwise(node)
    )
    assert convolutions.refusal(alone, H200) is None
    copied = {copy.args[0].op for copy in of(graph, aten.clone.default)}
    assert len(of(graph, aten.clone.default)) == 2 and copied == {
        "call_function"
    }
    assert error(graph(*operands), inverted(*map(wide, operands))) < tolerance(
        torch.float16
    )


def test_each_channel_alone_with_channels_last():
    """Filters are all that is copied."""
    x, w = normal(2, 16, 9, 7), normal(16, 1, 3, 3)
    x = x.to(memory_format=torch.channels_last)
    graph = changed(lambda x, w: functional.conv2d(x, w, groups=16), x, w)
    assert len(of(graph, aten.clone.default)) == 1
    assert graph(x, w).is_contiguous(memory_format=torch.channels_last)
    torch.testing.assert_close(graph(x, w), functional.conv2d(x, w, groups=16))
