"""Attention on GPUs becomes what Grout has a kernel for, or stays whole. Graphs
are traced on tensors that have no memory, so no GPU is needed."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from grout import targets
from grout.torch import attention

aten = torch.ops.aten


def tensor(*shape, dtype=torch.float16):
    return torch.empty(*shape, dtype=dtype)


def flash(q, k, v):
    return aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True)[0]


def cudnn(q, k, v):
    return aten._scaled_dot_product_cudnn_attention(
        q, k, v, None, False, 0.0, True)[0]


def efficient(q, k, v, mask):
    return aten._scaled_dot_product_efficient_attention(
        q, k, v, mask, False, scale=0.5)[0]


def expanded(function, *operands, target="h200"):
    """The operators of the graph, and the graph."""
    graph = make_fx(function, tracing_mode="fake")(*operands)
    attention.expand(graph, targets.get(target))
    graph.graph.lint()
    return {str(node.target) for node in graph.graph.nodes
            if node.op == "call_function"}, graph


def is_whole(operators):
    return any("scaled_dot_product" in operator for operator in operators)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("function, groups, masks", [
    (flash, 4, 0), (cudnn, 2, 0), (efficient, 4, 1)])
def test_it_becomes_products(function, groups, masks, dtype):
    operands = [tensor(2, 4, 8, 64, dtype=dtype),
                tensor(2, groups, 8, 64, dtype=dtype),
                tensor(2, groups, 8, 64, dtype=dtype),
                *[tensor(2, 4, 8, 8, dtype=dtype)] * masks]
    operators, graph = expanded(function, *operands)
    assert not is_whole(operators)
    assert "aten.bmm.default" in operators
    # It gives what scaled_dot_product_attention does.
    random = [torch.randn(operand.shape, dtype=dtype) for operand in operands]
    with torch.no_grad():
        wanted = torch.nn.functional.scaled_dot_product_attention(
            *(operand.float() for operand in random[:3]),
            *(operand.float() for operand in random[3:]),
            is_causal=not masks, scale=0.5 if masks else None,
            enable_gqa=True)
        torch.testing.assert_close(graph(*random).float(), wanted, rtol=2e-2,
                                   atol=2e-2)


def test_what_a_backward_pass_needs_stays_whole():
    def both(q, k, v):
        results = aten._scaled_dot_product_flash_attention(q, k, v)
        return results[0], results[1]

    assert is_whole(expanded(both, *[tensor(1, 2, 8, 64)] * 3)[0])


@pytest.mark.parametrize("operands, target", [
    ([tensor(1, 2, 8, 64, dtype=torch.float32)] * 3, "h200"),
    ([tensor(1, 2, 8, 20)] * 3, "h200"),
    ([tensor(1, 2, 8, 264)] * 3, "h200"),
    ([tensor(1, 2, 8, 64)] * 3, "a100")])
def test_what_has_no_kernel_stays_whole(operands, target):
    assert is_whole(expanded(flash, *operands, target=target)[0])


def test_dropout_stays_whole():
    def dropout(q, k, v):
        return aten._scaled_dot_product_flash_attention(q, k, v, 0.5)[0]

    assert is_whole(expanded(dropout, *[tensor(1, 2, 8, 64)] * 3)[0])
