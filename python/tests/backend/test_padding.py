"""Products are made wider by zeros where a GPU cannot load their rows."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout.torch.rewrites.padding import pad_products


@pytest.mark.parametrize(
    "function, x, y, extents",
    [
        (torch.mm, (17, 13), (13, 7), (16, 8)),
        (torch.bmm, (3, 17, 5), (3, 5, 16), (8, 16)),
        (lambda x, y: torch.relu(x @ y.t()), (17, 32), (5, 32), (32, 5)),
        (lambda x, y: x @ y.t(), (17, 30), (5, 30), (32, 8)),
        # What is computed is contiguous in a kernel.
        (lambda x, y: x @ (y.t() * 2), (17, 32), (5, 32), (32, 8)),
    ],
)
@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.float32], ids=["f16", "f32"]
)
def test_results_are_the_same(function, x, y, extents, dtype):
    x, y = torch.randn(x).to(dtype), torch.randn(y).to(dtype)
    graph = make_fx(function, tracing_mode="fake")(x, y)
    wanted = graph(x, y)
    pad_products(graph, ())
    graph.graph.lint()
    got = graph(x, y)
    assert got.shape == wanted.shape and got.is_contiguous()
    assert torch.allclose(got, wanted, atol=1e-3)
    product = next(
        node for node in graph.graph.nodes if "mm" in str(node.target)
    )
    assert product.args[1].meta["val"].shape[-2:] == extents


@pytest.mark.parametrize(
    "function, x, y, extents",
    [
        # All but one of the columns of rows that are computed.
        (lambda x, y: torch.exp(x)[:, :-1] @ y, (17, 33), (32, 8), (40, 8)),
        (lambda x, y: x @ torch.exp(y)[:, :-1], (17, 32), (32, 33), (32, 40)),
    ],
)
def test_parts_of_odd_rows(function, x, y, extents):
    x, y = torch.randn(x).half(), torch.randn(y).half()
    graph = make_fx(function, tracing_mode="fake")(x, y)
    wanted = graph(x, y)
    pad_products(graph, ())
    graph.graph.lint()
    assert torch.allclose(graph(x, y), wanted, atol=1e-1)
    product = next(
        node for node in graph.graph.nodes if "mm" in str(node.target)
    )
    assert product.args[1].meta["val"].shape == extents


def test_other_products_stay():
    graph = make_fx(torch.mm, tracing_mode="fake")(
        torch.randn(17, 13).double(), torch.randn(13, 7).double()
    )
    before = str(graph.graph)
    pad_products(graph, ())
    assert str(graph.graph) == before


def test_skipped_products_stay():
    graph = make_fx(torch.mm, tracing_mode="fake")(
        torch.randn(17, 13).half(), torch.randn(13, 7).half()
    )
    before = str(graph.graph)
    pad_products(graph, set(graph.graph.nodes))
    assert str(graph.graph) == before


def test_skipped_products_can_be_padded_later():
    x, y = torch.randn(17, 13).half(), torch.randn(13, 7).half()
    graph = make_fx(
        lambda x, y: torch.relu(x @ y) @ y.t(), tracing_mode="fake"
    )(x, y)
    wanted = graph(x, y)
    first, _ = graph.graph.find_nodes(
        op="call_function", target=torch.ops.aten.mm.default
    )
    pad_products(graph, {first})
    assert first.args[1].meta["val"].shape == (13, 7)
    pad_products(graph, ())
    graph.graph.lint()
    assert first.args[1].meta["val"].shape == (16, 8)
    assert torch.allclose(graph(x, y), wanted, atol=1e-2)
    before = str(graph.graph)
    pad_products(graph, ())
    assert str(graph.graph) == before
