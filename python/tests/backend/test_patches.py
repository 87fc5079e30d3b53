"""Convolutions that cut images into patches become products on GPUs. Graphs are
traced on tensors that have no memory, so no GPU is needed."""

import pytest
import torch
from checking import error, tolerance, wide
from expanding import expanded, normal
from torch._dynamo.backends.common import aot_autograd

from grout import targets
from grout.torch.rewrites import patch_convolutions

aten = torch.ops.aten


def convolution(stride, **options):
    rank = len(stride)
    given = {
        "padding": [0] * rank,
        "dilation": [1] * rank,
        "groups": 1,
        **options,
    }

    def run(x, weight, *bias):
        return aten.convolution(
            x,
            weight,
            bias[0] if bias else None,
            stride,
            given["padding"],
            given["dilation"],
            False,
            [0] * rank,
            given["groups"],
        )

    return run


LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


@pytest.mark.parametrize(
    "x, weight",
    [
        ((2, 3, 32, 48), (8, 3, 16, 16)),
        ((1, 3, 8, 12), (16, 3, 4, 2)),
        ((2, 3, 4, 8, 8), (8, 3, 2, 4, 4)),
        ((2, 4, 24), (8, 4, 6)),
    ],
)
@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_it_becomes_a_product(x, weight, has_bias, dtype):
    torch.manual_seed(0)
    operands = [normal(*x, dtype=dtype), normal(*weight, dtype=dtype)]
    if has_bias:
        operands.append(normal(weight[0], dtype=dtype))
    function = convolution(list(weight[2:]))
    graph, is_product = expanded(patch_convolutions.expand, function, *operands)
    assert is_product
    wanted = function(*operands)
    assert error(graph(*operands), function(*map(wide, operands))) < tolerance(
        dtype
    )
    assert graph(*operands).stride() == wanted.stride()


@pytest.mark.parametrize("rank", [4, 5])
@pytest.mark.parametrize("of_x", [False, True])
@pytest.mark.parametrize("of_weight", [False, True])
def test_layouts_are_kept(rank, of_x, of_weight):
    torch.manual_seed(0)
    x, weight = (
        normal(2, 3, *[8] * (rank - 2)),
        normal(16, 3, *[4] * (rank - 2)),
    )
    x = x.to(memory_format=LAST[rank]) if of_x else x
    weight = weight.to(memory_format=LAST[rank]) if of_weight else weight
    function = convolution([4] * (rank - 2))
    graph, is_product = expanded(patch_convolutions.expand, function, x, weight)
    assert is_product
    node = next(iter(graph.graph.find_nodes(op="output"))).args[0]
    assert graph(x, weight).stride() == node.meta["val"].stride()
    assert error(graph(x, weight), function(wide(x), wide(weight))) < tolerance(
        torch.float16
    )


@pytest.mark.parametrize(
    "function, x, weight",
    [
        (convolution([2, 2]), (1, 3, 8, 8), (8, 3, 4, 4)),  # They overlap.
        (convolution([4, 4], padding=[1, 1]), (1, 3, 8, 8), (8, 3, 4, 4)),
        (convolution([2, 2], dilation=[2, 2]), (1, 4, 8, 8), (8, 4, 2, 2)),
        (convolution([4, 4], groups=2), (1, 4, 8, 8), (8, 2, 4, 4)),
        (convolution([4, 4]), (1, 3, 9, 8), (8, 3, 4, 4)),  # A row is left.
        (convolution([4, 4]), (1, 3, 8, 8), (9, 3, 4, 4)),
        (convolution([3, 3]), (1, 3, 9, 9), (8, 3, 3, 3)),
    ],
)
def test_others_stay(function, x, weight):
    assert not expanded(
        patch_convolutions.expand, function, normal(*x), normal(*weight)
    )[1]


@pytest.mark.parametrize(
    "dtype, target",
    [(torch.float32, "h200"), (torch.float16, "a100"), (torch.float16, "cpu")],
)
def test_others_have_no_product(dtype, target):
    assert not expanded(
        patch_convolutions.expand,
        convolution([4, 4]),
        normal(1, 3, 8, 8, dtype=dtype),
        normal(8, 3, 4, 4, dtype=dtype),
        target=target,
    )[1]


def test_what_has_a_kernel_stays():
    operands = [
        normal(1, 8, 8, 8).to(memory_format=torch.channels_last),
        normal(16, 8, 2, 2).to(memory_format=torch.channels_last),
    ]
    assert not expanded(
        patch_convolutions.expand, convolution([2, 2]), *operands
    )[1]


def test_filters_of_unknown_number_stay():
    graphs = []

    def keep(graph, inputs):
        patch_convolutions.expand(graph, targets.get("h200"))
        graphs.append(graph)
        return graph.forward

    x, weight = normal(1, 3, 8, 8), normal(16, 3, 4, 4)
    torch._dynamo.mark_dynamic(weight, 0)
    function = convolution([4, 4])
    with torch.no_grad():
        compiled = torch.compile(
            function, backend=aot_autograd(fw_compiler=keep)
        )
        assert torch.equal(compiled(x, weight), function(x, weight))
    (graph,) = graphs
    assert graph.graph.find_nodes(
        op="call_function", target=aten.convolution.default
    )
