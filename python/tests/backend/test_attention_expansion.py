"""Attention on GPUs becomes what Grout has a kernel for, or stays whole. Graphs
are traced on tensors that have no memory, so no GPU is needed."""

import math

import pytest
import torch
from torch._guards import detect_fake_mode
from torch.fx.experimental.proxy_tensor import make_fx

from grout import targets
from grout.torch.rewrites import attention

aten = torch.ops.aten


def tensor(*shape, dtype=torch.float16):
    return torch.empty(*shape, dtype=dtype)


def flash(q, k, v):
    return aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True)[0]


def cudnn(q, k, v):
    return aten._scaled_dot_product_cudnn_attention(
        q, k, v, None, False, 0.0, True
    )[0]


def efficient(q, k, v, mask):
    return aten._scaled_dot_product_efficient_attention(
        q, k, v, mask, False, scale=0.5
    )[0]


def fused(q, k, v):
    return aten._scaled_dot_product_fused_attention_overrideable(
        q, k, v, None, 0.0, True
    )[0]


def expanded(function, *operands, target="h200"):
    """The operators of the graph, and the graph."""
    graph = make_fx(function, tracing_mode="fake")(*operands)
    attention.expand(graph, targets.get(target))
    graph.graph.lint()
    return {
        str(node.target)
        for node in graph.graph.nodes
        if node.op == "call_function"
    }, graph


def is_whole(operators):
    return any("scaled_dot_product" in operator for operator in operators)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize(
    "function, groups, masks",
    [(flash, 4, 0), (cudnn, 2, 0), (fused, 4, 0), (efficient, 4, 1)],
)
def test_it_becomes_products(function, groups, masks, dtype):
    operands = [
        tensor(2, 4, 8, 64, dtype=dtype),
        tensor(2, groups, 8, 64, dtype=dtype),
        tensor(2, groups, 8, 64, dtype=dtype),
        *[tensor(2, 4, 8, 8, dtype=dtype)] * masks,
    ]
    operators, graph = expanded(function, *operands)
    assert not is_whole(operators)
    assert "aten.bmm.default" in operators
    # It gives what scaled_dot_product_attention does.
    random = [torch.randn(operand.shape, dtype=dtype) for operand in operands]
    with torch.no_grad():
        wanted = torch.nn.functional.scaled_dot_product_attention(
            *(operand.float() for operand in random[:3]),
            *(operand.float() for operand in random[3:]),
            is_causal=not masks,
            scale=0.5 if masks else None,
            enable_gqa=True,
        )
        torch.testing.assert_close(
            graph(*random).float(), wanted, rtol=2e-2, atol=2e-2
        )


def test_what_a_backward_pass_needs_stays_whole():
    def both(q, k, v):
        results = aten._scaled_dot_product_flash_attention(q, k, v)
        return results[0], results[1]

    assert is_whole(expanded(both, *[tensor(1, 2, 8, 64)] * 3)[0])


@pytest.mark.parametrize(
    "operands, target, reason",
    [
        (
            [tensor(1, 2, 8, 64, dtype=torch.float32)] * 3,
            "h200",
            "it is in float32",
        ),
        (
            [tensor(1, 2, 8, 20)] * 3,
            "h200",
            "its heads have 20 elements, no multiple of 8",
        ),
        (
            [tensor(1, 2, 8, 264)] * 3,
            "h200",
            "its heads have 264 elements, more than 256",
        ),
        ([tensor(1, 2, 8, 64)] * 3, "a100", "Grout has none for a100"),
    ],
)
def test_what_has_no_kernel_stays_whole(operands, target, reason):
    operators, graph = expanded(flash, *operands, target=target)
    assert is_whole(operators)
    found = [
        attention.refusal(node, targets.get(target))
        for node in graph.graph.nodes
    ]
    assert f"attention is left to PyTorch's kernels: {reason}" in found


def test_dropout_stays_whole():
    def dropout(q, k, v):
        return aten._scaled_dot_product_flash_attention(q, k, v, 0.5)[0]

    assert is_whole(expanded(dropout, *[tensor(1, 2, 8, 64)] * 3)[0])


def masked_by(make_mask):
    def attend(q, k, v):
        return aten._scaled_dot_product_efficient_attention(
            q, k, v, None if make_mask is None else make_mask(), False
        )[0]

    return expanded(attend, *[tensor(2, 4, 8, 64)] * 3)[1]


def allowed(condition):
    """As scaled_dot_product_attention gives it to its kernels."""
    places = torch.arange(8)
    may = condition(places[:, None], places[None, :])
    return torch.where(may, 0.0, -math.inf).to(torch.float16).expand(2, 4, 8, 8)


def code(graph):
    """Except for names."""
    return [
        node.target for node in graph.graph.nodes if node.op == "call_function"
    ]


def test_masks_that_mask_nothing_are_not_read():
    neutral = masked_by(lambda: allowed(lambda i, j: i + 0 * j >= 0))
    assert code(neutral) == code(masked_by(None))


def test_masks_that_are_causal_are_not_read():
    def causal(q, k, v):
        return aten._scaled_dot_product_efficient_attention(
            q, k, v, None, False, 0.0, True
        )[0]

    assert code(masked_by(lambda: allowed(lambda i, j: i >= j))) == code(
        expanded(causal, *[tensor(2, 4, 8, 64)] * 3)[1]
    )


@pytest.mark.parametrize(
    "make_mask",
    [
        lambda: allowed(lambda i, j: (i >= j) & (i - j < 4)),
        lambda: allowed(lambda i, j: i <= j),
        lambda: allowed(lambda i, j: j + 0 * i == 0)[:, :, :1],
        lambda: torch.full((2, 4, 8, 8), 0.5, dtype=torch.float16),
        # By chance, whatever it gives.
        lambda: torch.rand(2, 4, 8, 8).ge(0).to(torch.float16) - 1,
    ],
)
def test_other_masks_are_read(make_mask):
    assert aten.add.Tensor in code(masked_by(make_mask))


@pytest.mark.parametrize(
    "dtype, is_taken_back", [(torch.bfloat16, True), (torch.float16, False)]
)
def test_bool_masks_for_cudnn(dtype, is_taken_back):
    """PyTorch turns a bool mask into numbers for cuDNN. With the bool mask,
    attention hides what is behind a query's position, and reads less."""

    def attend(q, k, v, words):
        places = torch.arange(8)
        shown = (places <= places[:, None]) & words[:, None, None, :]
        added = torch.where(
            shown,
            torch.full((), 0.0, dtype=dtype),
            torch.full((), -65504.0, dtype=dtype),
        )
        return aten._scaled_dot_product_cudnn_attention(
            q, k, v, added.expand(2, 4, 8, 8), False, 0.0, False
        )[0]

    words = torch.ones(2, 8, dtype=torch.bool)
    operands = [tensor(2, 4, 8, 64, dtype=dtype) for _ in range(3)]
    operators, graph = expanded(attend, *operands, words)
    assert not is_whole(operators)
    assert (aten.add.Tensor not in code(graph)) == is_taken_back
    random = [torch.randn(2, 4, 8, 64, dtype=dtype) for _ in range(3)]
    words[1, 5:] = False
    shown = torch.ones(8, 8, dtype=torch.bool).tril() & words[:, None, None, :]
    wanted = torch.nn.functional.scaled_dot_product_attention(
        *(operand.float() for operand in random), shown
    )
    torch.testing.assert_close(
        graph(*random, words).float(), wanted, rtol=2e-2, atol=2e-2
    )


def test_masks_that_inputs_decide_are_read():
    def attend(q, k, v, lengths):
        mask = torch.where(torch.arange(8) < lengths, 0.0, -math.inf)
        return efficient(q, k, v, mask.to(torch.float16).expand(2, 4, 8, 8))

    operands = [tensor(2, 4, 8, 64)] * 3
    operators, graph = expanded(attend, *operands, torch.tensor([8]))
    assert not is_whole(operators)
    random = [torch.randn(operand.shape).half() for operand in operands]
    few, all_of_them = (
        graph(*random, torch.tensor([count])) for count in (3, 8)
    )
    assert not torch.equal(few, all_of_them)


def test_masks_are_read_while_torch_compile_traces():
    """When tensors that have no memory are all that is made."""

    def attend(q, k, v):
        return efficient(q, k, v, allowed(lambda i, j: i >= j))

    graph = make_fx(attend, tracing_mode="fake")(*[tensor(2, 4, 8, 64)] * 3)
    with detect_fake_mode(next(iter(graph.graph.nodes)).meta["val"]):
        attention.expand(graph, targets.get("h200"))
    assert aten.add.Tensor not in code(graph)
