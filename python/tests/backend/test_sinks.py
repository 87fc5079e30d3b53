"""Attention with sinks, as GPT-OSS has it, is one kernel of GPUs. Code is made for
one, so no GPU is needed."""

import logging
import re

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import grout
from grout import targets
from grout.torch.decompositions import tables
from grout.torch.rewrites import sinks


def plain(q, k, v, sink):
    scores = torch.cat(
        [q @ k.transpose(-2, -1), sink.expand(*q.shape[:-1], 1)], -1
    )
    return scores.softmax(-1)[..., :-1] @ v


def repeated(x, count):
    batch, heads, *shape = x.shape
    return (
        x[:, :, None]
        .expand(batch, heads, count, *shape)
        .reshape(batch, heads * count, *shape)
    )


def masked(q, k, v, mask, sink):
    """As transformers has it."""
    k, v = (repeated(x, q.shape[1] // x.shape[1]) for x in (k, v))
    scores = q @ k.transpose(2, 3) * 0.125 + mask
    sinks = sink.reshape(1, -1, 1, 1).expand(q.shape[0], -1, q.shape[-2], -1)
    scores = torch.cat([scores, sinks], -1)
    scores = scores - scores.max(-1, keepdim=True).values
    weights = scores.softmax(-1, dtype=scores.dtype)[..., :-1]
    return (weights @ v).transpose(1, 2).contiguous()


def told(q, k, v, sink):
    """The weights, too."""
    scores = torch.cat(
        [q @ k.transpose(-2, -1), sink.expand(*q.shape[:-1], 1)], -1
    )
    weights = scores.softmax(-1)
    return weights, weights[..., :-1] @ v


def cut_elsewhere(q, k, v, sink):
    """The first key's weight is dropped instead."""
    scores = torch.cat(
        [q @ k.transpose(-2, -1), sink.expand(*q.shape[:-1], 1)], -1
    )
    return scores.softmax(-1)[..., 1:] @ v


def plain_operands(queries=16, keys=16, dtype=torch.bfloat16):
    return (
        torch.randn(4, queries, 64).to(dtype),
        *(torch.randn(4, keys, 64).to(dtype) for _ in range(2)),
        torch.randn(4, 1, 1).to(dtype),
    )


def masked_operands(length=19, dtype=torch.float16):
    mask = torch.full((length, length), -torch.inf).triu(1)
    return (
        torch.randn(2, 8, length, 64).to(dtype),
        *(torch.randn(2, 2, length, 64).to(dtype) for _ in range(2)),
        mask.expand(2, 1, -1, -1).to(dtype),
        torch.randn(8).to(dtype),
    )


def expanded(function, operands, target="h200"):
    graph = make_fx(
        function, tracing_mode="fake", decomposition_table=tables.for_gpu()
    )(*operands)
    before = str(graph.graph)
    sinks.expand(graph, targets.get(target))
    graph.graph.lint()
    return graph, str(graph.graph) != before


@pytest.mark.parametrize(
    "function, operands",
    [
        (plain, plain_operands()),
        (plain, plain_operands(19, 33)),
        (masked, masked_operands()),
    ],
)
def test_results_are_the_same(function, operands):
    graph, is_changed = expanded(function, operands)
    assert is_changed
    wanted = function(*(x.double() for x in operands))
    error, of_eager = (
        (y.double() - wanted).abs().max()
        for y in (graph(*operands), function(*operands))
    )
    assert error <= 1.5 * of_eager


@pytest.mark.parametrize(
    "function, operands",
    [
        (told, plain_operands()),
        (cut_elsewhere, plain_operands()),
        (plain, plain_operands(4)),
        (plain, plain_operands(dtype=torch.float32)),
    ],
)
def test_other_graphs_stay(function, operands):
    assert not expanded(function, operands)[1]


def test_graphs_for_the_cpu_stay():
    assert not expanded(plain, plain_operands(), "cpu")[1]


def exported(function, args, path, caplog):
    """The kinds of kernels, and what is left to PyTorch."""

    class Model(torch.nn.Module):
        def forward(self, *args):
            return function(*args)

    with caplog.at_level(logging.DEBUG, "grout.explain"):
        info = grout.export(Model(), args, path / "m.gpkg", target="h200")
    return re.findall(r"kernel \S+ \((\S+?)\)", caplog.text), info.left


@pytest.mark.parametrize(
    "function, operands",
    [(plain, plain_operands()), (masked, masked_operands())],
)
def test_one_kernel(function, operands, tmp_path, caplog):
    kinds, left = exported(function, operands, tmp_path, caplog)
    assert kinds == ["tgemm.attention"]
    assert not left


@pytest.mark.parametrize(
    "function, operands", [(told, plain_operands()), (plain, plain_operands(4))]
)
def test_weights_with_odd_rows_are_padded(function, operands, tmp_path, caplog):
    kinds, left = exported(function, operands, tmp_path, caplog)
    assert kinds.count("tgemm.matmul") == 2
    assert not left
