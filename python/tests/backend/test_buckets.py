"""Which rows may be padded, and that it makes no difference."""

import pytest
import torch
from checking import error
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch.nn import functional

from grout.torch import records, wait
from grout.torch.compilation.buckets import Buckets, paddable, round_up
from grout.torch.decompositions import tables

W = torch.linspace(-1, 1, 64 * 48).view(64, 48)
TABLE = torch.linspace(-1, 1, 32 * 48).view(32, 48)
NORM = nn.LayerNorm(48)
CONVOLUTION = nn.Conv1d(48, 48, 3, padding=1)


def attention(x):
    q = x.view(x.shape[0], -1, 4, 12).transpose(1, 2)
    return functional.scaled_dot_product_attention(q, q, q)


# Functions of x: [rows, 6, 48] or [rows, 48].
BY_ROW = {
    "pointwise": lambda x: torch.tanh(x) * 2 + 1,
    "product": lambda x: x @ W.T[:48],
    "product of flattened": lambda x: functional.linear(x, W),
    "norm": NORM,
    "softmax": lambda x: x.softmax(-1),
    "heads": lambda x: x.view(*x.shape[:-1], 4, 12).transpose(-2, -3).sum(-1),
    "slices": lambda x: torch.cat([x[..., 7:], x[..., :9].neg()], -1),
    "positions": lambda x: (
        x
        + torch.arange(x.shape[0], device=x.device).view(
            -1, *[1] * (x.dim() - 1)
        )
    ),
    "embedding": lambda x: functional.embedding(
        x.abs().long().clamp(max=31), TABLE
    ),
    "columns": lambda x: W @ x.reshape(-1, 48).T,
}
BY_ROW_OF_3 = {
    "attention": attention,
    "convolution": lambda x: CONVOLUTION(x.transpose(1, 2)),
    "sum of others": lambda x: x.sum(1),
}
OTHERS = {
    "sum": lambda x: x.sum(0),
    "sum of all": lambda x: x + x.sum(),
    "softmax": lambda x: x.softmax(0),
    "number of rows": lambda x: x / x.shape[0],
    "pairs": lambda x: x.reshape(-1, 48) @ x.reshape(-1, 48).T,
    "contraction": lambda x: x.reshape(-1, 48).T @ x.reshape(-1, 48),
    "last": lambda x: x[-1] + x,
    "without the first": lambda x: x[1:] * 2,
    "two after each other": lambda x: torch.cat([x, x]) + 1,
    "cumulated": lambda x: x.cumsum(0),
    "reversed": lambda x: x.flip(0),
    "from behind": lambda x: (
        x + torch.arange(x.shape[0], 0, -1).view(-1, *[1] * (x.dim() - 1))
    ),
    "rows as columns": lambda x: x.reshape(48, -1) + 1,
    "count": lambda x: torch.full((4,), x.shape[0]) + x[:1, ..., :4],
    "first of a table": lambda x: TABLE[: x.shape[0]].sum() + x,
}


def run(function, x, wrap):
    """The result for rows that may change; `wrap` turns the graph of ATen
    operators, with symbols, into a function."""

    def backend(module, inputs):
        return aot_autograd(
            fw_compiler=lambda graph, _: wrap(graph),
            decompositions=tables.for_cpu(True),
        )(module, inputs)

    torch._dynamo.reset()
    torch._dynamo.maybe_mark_dynamic(x, 0)
    with torch.no_grad():
        return torch.compile(function, backend=backend)(x)


@pytest.mark.parametrize("name", [*BY_ROW, *BY_ROW_OF_3])
@pytest.mark.parametrize("rank", (2, 3))
def test_rows_that_may_be_padded(name, rank):
    if rank == 2 and name in BY_ROW_OF_3:
        pytest.skip("for three dimensions")
    function = {**BY_ROW, **BY_ROW_OF_3}[name]
    x = torch.randn(21, *(6,)[: rank - 2], 48)
    rounded = []

    def padding(graph):
        buckets = Buckets(graph)

        def call(*arguments):
            extents = buckets.extents(arguments)
            rounded.extend(extents.values())
            padded = buckets.pad(arguments, extents)
            return buckets.cut(graph(*padded), extents)

        return call

    with torch.no_grad():
        right = function(x)
    assert error(run(function, x, padding), right) < 1e-5
    assert rounded == [21]


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("rank", (2, 3))
def test_rows_that_may_not(name, rank):
    graphs = []

    def recording(graph):
        graphs.append(graph)
        return graph

    run(OTHERS[name], torch.randn(21, *(6,)[: rank - 2], 48), recording)
    assert paddable(graphs[0]) == set()


def test_rounding():
    for extent in range(1, 5000):
        rounded = round_up(extent)
        assert extent <= rounded <= max(extent, extent * 9 / 8)
        assert round_up(rounded) == rounded
    assert len({round_up(extent) for extent in range(512, 1024)}) <= 9


def test_many_sizes_need_few_programs():
    model = nn.Sequential(
        nn.Linear(48, 96), nn.GELU(), nn.Linear(96, 48), nn.LayerNorm(48)
    ).eval()
    function = torch.compile(
        model, backend="grout", options={"fallback": "eager", "max_shapes": 2}
    )
    with torch.no_grad(), records.listen() as operators:
        for rows in (3, 17, 65, 66, 70, 71, 72, 130, 140, 66):
            for _ in range(2):
                x = torch.randn(rows, 5, 48)
                torch._dynamo.maybe_mark_dynamic(x, 0)
                assert error(function(x), model(x)) < 2e-6
                wait()
    # 3, 17, and the buckets 72 and 144.
    assert len({one.graph for one in operators}) == 4
