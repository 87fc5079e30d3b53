"""On a GPU, rows of any length are attention: its products are padded only if
they turn out to be none. Code is made for one, so no GPU is needed."""

import logging
import re

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.functional import scaled_dot_product_attention

import grout
from grout import targets
from grout.torch.decompositions import tables
from grout.torch.rewrites import attention


def whole(q, k, v):
    return scaled_dot_product_attention(q, k, v)


def causal(q, k, v):
    return scaled_dot_product_attention(q, k, v, is_causal=True)


def masked(q, k, v):
    hidden = torch.arange(k.shape[-2]) % 3 == 2
    return scaled_dot_product_attention(
        q, k, v, torch.where(hidden, -1.0, 0.5).to(q.dtype)[None]
    )


def grouped(q, k, v):
    return scaled_dot_product_attention(q, k[:, :1], v[:, :1], enable_gqa=True)


def by_hand(q, k, v):
    scores = q @ k.transpose(-1, -2) * 0.125
    return scores.softmax(-1, dtype=torch.float32).to(q.dtype) @ v


def widened(q, k, v):
    scores = q.float() @ k.float().transpose(-1, -2) * 0.125
    return scores.softmax(-1).to(q.dtype) @ v


def widened_and_capped(q, k, v):
    scores = torch.tanh(q.float() @ k.float().transpose(-1, -2))
    return scores.softmax(-1).to(q.dtype) @ v


def divided_late(q, k, v):
    weights = torch.exp(q @ k.transpose(-1, -2) * 0.125)
    return weights @ v / weights.sum(-1, keepdim=True)


def capped(q, k, v):
    return torch.tanh(q @ k.transpose(-1, -2)).softmax(-1) @ v


def told(q, k, v):
    weights = (q @ k.transpose(-1, -2)).softmax(-1)
    return weights, weights @ v


def gated(q, k, v):
    return (q @ k.transpose(-1, -2)).sigmoid() @ v


def without_softmax(q, k, v):
    return torch.exp(q @ k.transpose(-1, -2)) @ v


def operands(queries, keys, size=64, dtype=torch.float16):
    return tuple(
        torch.randn(1, 2, rows, size).to(dtype)
        for rows in (queries, keys, keys)
    )


def exported(function, args, path, caplog):
    """The kinds of kernels, and what is left to PyTorch."""

    class Model(torch.nn.Module):
        def forward(self, *args):
            return function(*args)

    with caplog.at_level(logging.DEBUG, "grout.explain"):
        info = grout.export(Model(), args, path / "m.gpkg", target="h200")
    kinds = re.findall(r"kernel \S+ \((\S+?)\)", caplog.text)
    return kinds, info.left


@pytest.mark.parametrize(
    "function, queries, keys",
    (
        (whole, 1, 513),
        (causal, 45, 45),
        (masked, 1, 45),
        (grouped, 45, 45),
        (by_hand, 37, 197),
        (widened, 37, 45),
        (divided_late, 37, 45),
    ),
)
def test_any_number_of_keys(function, queries, keys, tmp_path, caplog):
    kinds, left = exported(function, operands(queries, keys), tmp_path, caplog)
    assert kinds.count("tgemm.attention") == 1 and not left
    assert "tgemm.matmul" not in kinds


@pytest.mark.parametrize(
    "size, dtype", ((80, torch.float16), (96, torch.bfloat16))
)
def test_any_head(size, dtype, tmp_path, caplog):
    kinds, left = exported(
        whole, operands(37, 197, size, dtype), tmp_path, caplog
    )
    assert kinds == ["tgemm.attention"] and not left


@pytest.mark.parametrize(
    "function, size", ((capped, 64), (told, 64), (by_hand, 20))
)
def test_what_is_no_attention_is_padded(function, size, tmp_path, caplog):
    kinds, left = exported(function, operands(37, 45, size), tmp_path, caplog)
    assert kinds.count("tgemm.matmul") == 2 and not left


def test_small_products_of_f32_are_left(tmp_path, caplog):
    kinds, left = exported(
        widened_and_capped, operands(37, 45), tmp_path, caplog
    )
    assert kinds.count("tgemm.matmul") == 1
    assert [one.reason for one in left] == [
        "PyTorch's product of f32 is faster at this size"
    ]


def count(function, *args, target="h200"):
    graph = make_fx(function, tables.for_gpu(), tracing_mode="fake")(*args)
    return len(attention.find_products(graph, targets.get(target)))


def test_what_may_be_attention():
    args = operands(37, 45)
    assert count(by_hand, *args) == count(divided_late, *args) == 2
    assert count(gated, *args) == count(without_softmax, *args) == 0
    assert count(by_hand, *operands(37, 45, dtype=torch.float32)) == 0
    assert count(by_hand, *args, target="a100") == 0
    assert count(by_hand, *args, target="cpu") == 0


def test_only_what_is_in_the_scores():
    """Not what makes queries, nor what follows."""

    def layer(x, w):
        return by_hand(x @ w, x, x) @ w

    assert (
        count(layer, torch.randn(37, 64).half(), torch.randn(64, 64).half())
        == 2
    )
