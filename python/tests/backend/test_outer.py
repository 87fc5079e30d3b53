"""Matmuls whose sums have a single term."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.decompositions import tables

aten = torch.ops.aten

SHAPES = [((5, 1), (1, 7)), ((3, 5, 1), (3, 1, 7)), ((1, 1), (1, 1))]


def operators(function, *operands):
    graph = make_fx(
        function, tracing_mode="fake", decomposition_table=tables.for_gpu()
    )(*operands)
    return {node.target for node in graph.graph.nodes}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("one, other", SHAPES)
def test_they_are_elementwise(one, other, dtype):
    x, y = torch.randn(one, dtype=dtype), torch.randn(other, dtype=dtype)
    found = operators(torch.matmul, x, y)
    assert aten.mul.Tensor in found
    assert not found & {aten.mm.default, aten.bmm.default}


@pytest.mark.parametrize(
    "one, other",
    [
        (torch.randn(5, 2), torch.randn(2, 7)),
        (torch.ones(5, 1, dtype=torch.int32), torch.ones(1, 7).int()),
    ],
    ids=["two terms", "integers"],
)
def test_other_matmuls_stay(one, other):
    assert aten.mm.default in operators(torch.mm, one, other)


@pytest.mark.parametrize("one, other", SHAPES)
def test_results_and_strides(one, other):
    def function(x, y, bias):
        product = torch.matmul(x, y)
        return product, torch.matmul(x.mT.mT, y) + bias, product.mT.cos()

    operands = torch.randn(one), torch.randn(other), torch.randn(other[-1])
    # Operands whose axes are in another order in memory.
    turned = operands[0].mT.contiguous().mT, *operands[1:]
    for given in (operands, turned):
        torch._dynamo.reset()
        compiled = torch.compile(
            function, backend="grout", options={"fallback": "error"}
        )
        for found, wanted in zip(compiled(*given), function(*given)):
            torch.testing.assert_close(found, wanted)
            assert found.stride() == wanted.stride()
