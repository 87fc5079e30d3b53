"""Attention of queries that may see no key: they give 0, as PyTorch's kernels
have it, and so do their gradients."""

import math

import pytest
import torch
from checking import error, limit, tolerance, wide
from torch.nn.functional import scaled_dot_product_attention

from grout.torch import records
from grout.torch.decompositions import tables

LENGTH = 11


def left_padding(dtype):
    """Causal, with padding before the second sequence: its first queries see
    nothing."""
    first = torch.tensor([0, 4])[:, None, None, None]
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    return causal & (torch.arange(LENGTH) >= first)


def masked_row(dtype):
    """A bias of minus infinity, for all keys of one query."""
    bias = torch.randn(2, 4, LENGTH, LENGTH, dtype=dtype)
    bias[1, :, 3] = -math.inf
    return bias


MASKS = {
    "left_padding": (left_padding, (1, slice(None), slice(0, 4))),
    "masked_row": (masked_row, (1, slice(None), 3)),
}


def attend(query, key, value, mask):
    return scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=mask,
        enable_gqa=query.shape[1] != key.shape[1],
    )


def run(function, *inputs):
    """The result, and the gradients of query, key and value."""
    operands = [x.clone().requires_grad_() for x in inputs[:3]]
    result = function(*operands, *inputs[3:])
    result.square().sum().backward()
    return [result.detach(), *(x.grad for x in operands)]


def inputs_of(make, key_heads, dtype):
    return [
        torch.randn(2, heads, LENGTH, 8).to(dtype)
        for heads in (4, key_heads, key_heads)
    ] + [make(dtype)]


def compiled():
    return torch.compile(
        attend,
        backend="grout",
        fullgraph=True,
        options={"fallback": "eager", "min_block_size": 1},
    )


TYPES = pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float16], ids=["f32", "f16"]
)


@TYPES
@pytest.mark.parametrize("key_heads", [4, 2])
@pytest.mark.parametrize("name", MASKS)
def test_result(name, key_heads, dtype):
    make, place = MASKS[name]
    inputs = inputs_of(make, key_heads, dtype)
    with torch.no_grad(), records.listen() as operators:
        got = compiled()(*inputs)
    eager, wanted = attend(*inputs), attend(*wide(inputs))
    assert error(got, wanted) <= max(limit(eager, wanted), tolerance(dtype))
    assert not got[place].any()
    assert all(one.partition is not None or one.is_view for one in operators)


@TYPES
@pytest.mark.parametrize("key_heads", [4, 2])
@pytest.mark.parametrize("name", MASKS)
def test_gradients(name, key_heads, dtype):
    make, place = MASKS[name]
    inputs = inputs_of(make, key_heads, dtype)
    with records.listen() as operators:
        got = run(compiled(), *inputs)
    eager, wanted = run(attend, *inputs), run(attend, *wide(inputs))
    assert error(got, wanted) <= max(limit(eager, wanted), tolerance(dtype))
    assert not got[0][place].any() and not got[1][place].any()
    # Of grouped heads, the backward pass is PyTorch's.
    assert all(
        one.partition is not None or "backward" in one.name
        for one in operators
        if not one.is_view
    )


@TYPES
@pytest.mark.parametrize("name", MASKS)
def test_logsumexp_is_that_of_the_kernel(name, dtype):
    make, place = MASKS[name]
    # Large scores: rounded to f16, they would be off by up to 0.03.
    query, key, value = (4 * torch.randn(3, 2, 4, LENGTH, 8)).to(dtype)
    mask = make(torch.float32)
    bias = (
        mask
        if mask.is_floating_point()
        else torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    ).to(dtype)
    operator = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    wanted = operator(query, key, value, attn_mask=bias)
    got = tables.for_cpu(True)[operator.default](
        query, key, value, attn_mask=bias
    )
    assert error(got[0], wanted[0]) <= tolerance(dtype)
    assert error(got[1], wanted[1]) <= 1e-6
    assert not got[1][place].any()


def test_on_gpus_too():
    query, key, value = torch.randn(3, 2, 4, LENGTH, 8).unbind()
    mask = left_padding(torch.float32)
    got = tables.attention(query, key, value, mask, False, None)
    assert error(got, attend(query, key, value, mask)) <= 1e-6
