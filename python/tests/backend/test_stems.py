"""Convolutions of images of few channels become products of rows on GPUs. Graphs
are traced on tensors that have no memory, so no GPU is needed."""

import pytest
import torch

from checking import error, tolerance, wide
from expanding import expanded, normal
from model_check import zeros
from sweep import compile_only

from grout.torch import Options, records, stems

aten = torch.ops.aten


def convolution(stride=(2, 2), padding=(3, 3), **options):
    given = {"dilation": [1, 1], "groups": 1, **options}

    def run(x, weight, *bias):
        return aten.convolution(
            x, weight, bias[0] if bias else None, stride, padding,
            given["dilation"], False, [0, 0], given["groups"])

    return run


@pytest.mark.parametrize("x, weight, stride, padding", [
    ((2, 3, 32, 48), (16, 3, 7, 7), (2, 2), (3, 3)),
    ((1, 3, 33, 31), (8, 3, 7, 7), (2, 2), (3, 3)),
    ((1, 2, 20, 30), (8, 2, 8, 9), (3, 1), (0, 4)),
    ((1, 5, 16, 16), (8, 5, 5, 6), (1, 2), (2, 0))])
@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_it_becomes_a_product(x, weight, stride, padding, has_bias, dtype):
    torch.manual_seed(0)
    operands = [normal(*x, dtype=dtype), normal(*weight, dtype=dtype)]
    if has_bias:
        operands.append(normal(weight[0], dtype=dtype))
    function = convolution(stride, padding)
    graph, is_product = expanded(stems.expand, function, *operands)
    assert is_product
    assert graph(*operands).stride() == function(*operands).stride()
    assert error(graph(*operands), function(*map(wide, operands))) < tolerance(
        dtype)


@pytest.mark.parametrize("of_x", [False, True])
@pytest.mark.parametrize("of_weight", [False, True])
def test_layouts_are_kept(of_x, of_weight):
    torch.manual_seed(0)
    x, weight = normal(2, 3, 24, 24), normal(16, 3, 7, 7)
    x = x.to(memory_format=torch.channels_last) if of_x else x
    weight = (weight.to(memory_format=torch.channels_last) if of_weight
              else weight)
    function = convolution()
    graph, is_product = expanded(stems.expand, function, x, weight)
    assert is_product
    node = graph.graph.find_nodes(op="output")[0].args[0]
    assert graph(x, weight).stride() == node.meta["val"].stride()
    assert error(graph(x, weight), function(wide(x), wide(weight))) < tolerance(
        torch.float16)


def test_values_that_are_no_numbers_stay_where_they_are():
    """Rows are filled up by zeros, not by pixels."""
    x, weight = normal(1, 3, 16, 16), normal(8, 3, 7, 7)
    x[0, 0, 0, 0] = float("inf")
    function = convolution()
    graph, _ = expanded(stems.expand, function, x, weight)
    assert torch.equal(graph(x, weight).isfinite(),
                       function(x, weight).isfinite())


@pytest.mark.parametrize("function, x, weight", [
    (convolution(dilation=[2, 2]), (1, 3, 32, 32), (8, 3, 7, 7)),
    (convolution(groups=2), (1, 6, 32, 32), (8, 3, 7, 7)),
    (convolution(padding=[1, 1]), (1, 3, 32, 32), (8, 3, 3, 3)),  # Few elements.
    (convolution(), (1, 3, 32, 32), (9, 3, 7, 7)),
    (convolution(), (1, 8, 32, 32), (8, 8, 7, 7)),  # TMA loads them.
    (convolution(), (64, 3, 224, 224), (8, 3, 7, 7))])  # Many rows.
def test_others_stay(function, x, weight):
    with torch.device("meta"):
        operands = torch.empty(x, dtype=torch.float16), torch.empty(
            weight, dtype=torch.float16)
    assert not expanded(stems.expand, function, *operands)[1]


@pytest.mark.parametrize("target", ("h100", "h200"))
def test_it_compiles_with_what_follows(target):
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False), torch.nn.BatchNorm2d(64),
        torch.nn.ReLU(), torch.nn.MaxPool2d(3, 2, 1)).eval().half()
    backend = compile_only(Options(target=target, fallback="error"), zeros)
    with torch.no_grad(), records.listen() as operators:
        torch.compile(model, backend=backend)(normal(1, 3, 64, 64))
    assert all(one.partition is not None for one in operators
               if not one.is_view)
