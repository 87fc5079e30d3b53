"""Counts of elements in ranges."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import grout
from grout.torch import records
from grout.torch.decompositions import histograms, tables


def compiled(function, **options):
    return torch.compile(
        function,
        backend="grout",
        fullgraph=True,
        dynamic=False,
        options={"fallback": "error", "min_block_size": 1, **options},
    )


@pytest.mark.parametrize(
    "bins, low, high",
    [
        (10, 0, 1),
        (7, -0.3, 0.7),
        (1, -1, 2),
        (64, -3, 3),
        (5, 0, 4),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_counts(bins, low, high, dtype):
    x = torch.cat(
        [
            torch.randn(501) * 2,
            torch.arange(5),
            low + torch.arange(bins + 1) * ((high - low) / bins),
            torch.tensor([low, high, -0.0, torch.nan, torch.inf]),
        ]
    )
    x = x.to(dtype).view(-1)
    function = lambda x: torch.histc(x, bins, low, high) + 1  # noqa: E731
    assert torch.equal(compiled(function)(x), function(x))


@pytest.mark.parametrize(
    "count, bins", [(32768, 128), (30001, 100), (500, 2500)]
)
def test_many_elements_and_ranges(count, bins):
    x = torch.randint(-9, bins + 9, (count,)).float()
    x[7] = torch.nan
    function = lambda x: torch.histc(x, bins, 0, bins - 1)  # noqa: E731
    assert torch.equal(compiled(function)(x), function(x))


@pytest.mark.parametrize(
    "x, reason",
    [
        (torch.arange(9), "PyTorch has no histogram of integers on the CPU"),
        (torch.rand(9).half(), "PyTorch rounds each step"),
        (torch.rand((1 << 20) + 1), "it would compare more than"),
    ],
)
def test_refusals(x, reason):
    assert histograms.find_problem(x, 4096, 0, 1).startswith(reason)


def test_ranges_of_data_are_left_to_pytorch():
    x = torch.randn(50)
    with records.listen() as operators:
        got = compiled(lambda x: (x + 1).histc(9), fallback="eager")(x)
    assert torch.equal(got, (x + 1).histc(9))
    assert any(
        one.reason == "its range follows from its elements" for one in operators
    )


def test_sizes_of_data_are_left_to_pytorch():
    x = torch.randint(0, 9, (50,))
    config = torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
    with config, records.listen() as operators:
        got = compiled(lambda x: x.bincount(), fallback="eager")(x)
    assert torch.equal(got, x.bincount())
    assert any("size of its result" in one.reason for one in operators)


@pytest.mark.parametrize(
    "dtype, bins, low, high",
    [
        (torch.int32, 6, 0, 5),
        (torch.int32, 8, 0, 1 << 30),
        # Images: a byte times 256 has more than 8 bits.
        (torch.uint8, 256, 0, 255),
        (torch.uint8, 10, 0.5, 255.0),
        (torch.int8, 20, -100, 100),
        (torch.int8, 2500, 0, 9),
    ],
)
def test_integers_are_counted_on_gpus(dtype, bins, low, high):
    """As experts' tokens are. The graph is run on the CPU."""

    def count(x):
        return torch.histc(x, bins, low, high)

    with FakeTensorMode():
        x = torch.empty(3, 40, device="cuda", dtype=dtype)
        graph = make_fx(count, decomposition_table=tables.for_gpu())(x)
    assert not graph.graph.find_nodes(
        op="call_function", target=torch.ops.aten.histc.default
    )
    for node in graph.graph.nodes:
        if "device" in node.kwargs:
            node.kwargs = {**node.kwargs, "device": torch.device("cpu")}
    graph.recompile()
    low, high, limits = int(low), int(high), torch.iinfo(dtype)
    x = torch.randint(
        max(low - 2, limits.min), min(high + 3, limits.max + 1), (3, 40)
    )
    inside = x[(x >= low) & (x <= high)]
    places = ((inside - low) * bins // (high - low)).clamp(max=bins - 1)
    wanted = places.bincount(minlength=bins).to(dtype)
    assert torch.equal(graph(x.to(dtype)), wanted)


def test_ends_of_ranges_that_a_type_does_not_have():
    with FakeTensorMode():
        x = torch.empty(9, device="cuda", dtype=torch.uint8)
        for low, high in ((0, 300), (-1, 9)):
            problem = histograms.find_problem(x, 10, low, high)
            assert problem.startswith("its type does not have the ends")
        problem = histograms.find_problem(x, 10, 0.2, 0.7)
        assert problem == "its range follows from its elements"


class _Model(torch.nn.Module):
    def forward(self, x):
        return torch.histc(x.exp(), 10, 0, 1) / 2


def test_compiles_for_a_gpu():
    report = grout.report(_Model(), [torch.randn(300)], target="h200")
    assert all(
        one.partition == 0 for one in report.operators if not one.is_view
    )
