"""What a graph computes from tensors that it fills itself is computed by PyTorch
before importers see it; scripts/check-constants has more of it."""

import math
import random

import pytest
import torch
import torch.nn.functional as F
from literal_cases import cases, try_cases
from sweep import OK
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import grout.torch
from grout.torch.decompositions.tables import for_cpu
from grout.torch.graph import keys, support
from grout.torch.rewrites import literals, operand_types
from grout.torch.rewrites.simplify import simplify

aten = torch.ops.aten

X = torch.arange(12.0).reshape(3, 4)
HALVES = {"dtype": torch.bfloat16}


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.where(torch.ones(3, 4) > 0, x, -x),
        lambda x: torch.where(torch.zeros(4) == 0, x, -x),
        lambda x: torch.where(torch.full_like(x, 3.0) < 0, -x, x),
        lambda x: torch.fmod(torch.full_like(x, 3.0), x + 1),
        lambda x: x.masked_fill(torch.full((3, 4), -1.0) < 0, 5.0),
        lambda x: torch.where(torch.ones(4, **HALVES) >= 1, x, -x),
        lambda x: torch.where(torch.ones(4, dtype=torch.float64) != 1, -x, x),
        lambda x: torch.where(
            torch.cat([torch.zeros(3), torch.ones(1)]) == 0, x, -x
        ),
        lambda x: F.kl_div(x, torch.zeros(3, 4), reduction="batchmean"),
        lambda x: torch.xlogy(torch.zeros(3, 4), x * 0) + x,
        lambda x: torch.special.entr(torch.zeros(3, 4)) + x,
    ),
)
@pytest.mark.parametrize("fallback", ("error", "eager"))
def test_comparisons_with_whole_numbers(function, fallback):
    run = torch.compile(
        function, backend="grout", options={"fallback": fallback}
    )
    torch.testing.assert_close(run(X), function(X))


def test_filled_with_complex_numbers():
    """They are no literals, as importers have no complex numbers."""
    function = lambda x: (x + torch.full((4,), 1 + 2j)).real + 1  # noqa: E731
    assert torch.equal(torch.compile(function, backend="grout")(X), function(X))


def test_comparisons_in_packages(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.where(torch.zeros(4) == 0, x, -x)

    grout.export(Model(), (X,), tmp_path / "model.grout")
    assert torch.equal(grout.load(tmp_path / "model.grout")(X), X)
    report = grout.report(Model(), (X,), target="h200")
    assert "aten.eq" not in {
        one.operator.rpartition(".")[0] for one in report.operators
    }


def folded(function, *args):
    with FakeTensorMode():
        graph = make_fx(function)(
            *(torch.empty(x.shape, dtype=x.dtype) for x in args)
        )
    literals.fold(graph)
    graph.graph.lint()
    for got, wanted in zip(graph(*args), function(*args), strict=True):
        assert got.dtype == wanted.dtype and got.stride() == wanted.stride()
        torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
    return [
        node.target for node in graph.graph.nodes if node.op == "call_function"
    ]


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.full((3, 4), 2.5) * 3 - 1,
        lambda x: torch.zeros(3, 4).to(torch.int32) + 7,
        lambda x: torch.full((2, 2), math.nan) == math.nan,
        lambda x: torch.cat([torch.ones(2), torch.full((1,), 0.5) * 2]),
        lambda x: torch.full((), 2**53 + 1) + 2,
        lambda x: torch.ones(1, 4).expand(3, 4) + torch.zeros(3, 1),
        lambda x: -torch.zeros(3),
    ),
)
def test_one_number_is_filled(function):
    assert folded(lambda x: (function(x),), X) == [aten.full.default]


def test_tensors_of_any_size_are_cheap():
    """Nothing of this size is made."""
    with FakeTensorMode():
        graph = make_fx(lambda x: (x + (torch.ones(2**40) > 0),))(
            torch.empty(2**40)
        )
    literals.fold(graph)
    targets = {
        node.target for node in graph.graph.nodes if node.op == "call_function"
    }
    assert targets == {aten.full.default, aten.add.Tensor}


def test_filled_tensors_keep_their_strides():
    assert folded(lambda x: (torch.ones(4, 3).t() + 1,), X) == [
        aten.full.default,
        aten.permute.default,
    ]


def test_several_use_what_is_filled_in_another_order():
    def function(x):
        y = torch.ones(4, 3).t() + 1
        return y * x, torch.minimum(y.int(), torch.arange(4)), y

    run = torch.compile(
        function, backend="grout", options={"fallback": "eager"}
    )
    for got, wanted in zip(run(X), function(X)):
        assert torch.equal(got, wanted) and got.stride() == wanted.stride()


def test_what_is_counted_or_given_is_left():
    assert aten.eq.Scalar in folded(lambda x: (torch.arange(4) == 0,), X)
    assert aten.eq.Scalar in folded(lambda x: (x == 0,), X)
    assert aten.rand.default in {
        node.target
        for node in make_fx(lambda x: torch.rand(3) > 2)(X).graph.nodes
    }


@pytest.mark.parametrize(
    "function",
    (
        torch.maximum,
        torch.fmin,
        torch.bitwise_and,
        torch.bitwise_or,
        lambda x, y: torch.cat([x, y]),
        lambda x, y: torch.where(x > 1, x, y),
    ),
)
def test_operands_have_the_type_of_the_result(function):
    """Before importers see them; here they see none else."""
    x, y = torch.arange(-2, 4), torch.arange(6, dtype=torch.int32)
    with FakeTensorMode() as mode:
        graph = make_fx(lambda x, y: (function(x, y),), for_cpu(True))(
            mode.from_tensor(x), mode.from_tensor(y)
        )
    operand_types.make_equal(graph)
    graph.graph.lint()
    assert torch.equal(graph(x, y)[0], function(x, y))
    for node in graph.graph.nodes:
        operands = [
            one
            for one in node.all_input_nodes
            if support.packet(node) is not aten.where or one is not node.args[0]
        ]
        assert len({one.meta["val"].dtype for one in operands}) <= 1
    run = torch.compile(
        function,
        backend="grout",
        options={"fallback": "eager", "min_block_size": 1},
    )
    assert torch.equal(run(x, y), function(x, y))


def test_what_is_no_number_equals_no_copy():
    def function(x):
        return x == x.clone(), x[:] == x, x.to(x.dtype).view(3, 4) == x

    x = X.masked_fill(X > 3, math.nan)
    graph = make_fx(function)(x)
    simplify(graph)
    run = torch.compile(
        function, backend="grout", options={"fallback": "error"}
    )
    for got, simplified, wanted in zip(run(x), graph(x), function(x)):
        assert torch.equal(got, wanted) and torch.equal(simplified, wanted)


def test_signs_of_what_is_no_number_are_told_apart():
    positive, negative = (
        make_fx(lambda x: (torch.full((3,), number),))(X)
        for number in (math.nan, -math.nan)
    )
    assert keys.describe(positive) != keys.describe(negative)


def test_sample():
    sample = random.Random(1).sample(cases(), 12)
    for case, outcome in zip(sample, try_cases(sample), strict=True):
        assert outcome.status == OK, f"{case}: {outcome.reason}"


@pytest.mark.parametrize(
    "function",
    (torch.add, torch.sub, torch.mul, torch.true_divide, torch.remainder),
)
@pytest.mark.parametrize(
    "dtype", (torch.float64, torch.float32, torch.int64, torch.uint8)
)
def test_a_number_that_comes_first_keeps_its_bits(function, dtype):
    """In a graph of literals alone it stays where a tensor is expected."""

    def run(*numbers):
        row = torch.cat(
            [torch.full((1,), 2, dtype=dtype), torch.ones(3, dtype=dtype)]
        )
        return [function(number, row) for number in numbers]

    fallback = "eager" if dtype == torch.uint8 else "error"
    numbers = -0.3, 3, -3, 300
    results = torch.compile(
        run,
        backend="grout",
        dynamic=False,
        options={"min_block_size": 1, "fallback": fallback},
    )(*numbers)
    for got, wanted in zip(results, run(*numbers), strict=True):
        assert got.dtype == wanted.dtype and torch.equal(got, wanted)


@pytest.mark.parametrize(
    "dtype", (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
)
@pytest.mark.parametrize(
    "function",
    (
        lambda x, number: (x == number, x <= number, x > number),
        lambda x, number: (
            torch.div(x, number, rounding_mode="floor"),
            torch.div(x, number, rounding_mode="trunc"),
        ),
        lambda x, number: (x % number, torch.fmod(x, number)),
    ),
)
def test_whole_numbers_have_the_type_of_the_tensor(dtype, function):
    x = torch.tensor([0, 1, 127, 100], dtype=dtype)
    wanted = {}
    for number in (-1, 255, 257, 2**31 - 1, 2**31 + 100, 2**62 + 1):
        try:
            wanted[number] = function(x, number)
        except RuntimeError:
            continue

    def run(x, *numbers):
        return [function(x, number) for number in numbers]

    got = torch.compile(
        run, backend="grout", dynamic=False, options={"min_block_size": 1}
    )(x, *wanted)
    for number, results in zip(wanted, got, strict=True):
        assert all(map(torch.equal, results, wanted[number])), number


@pytest.mark.parametrize(
    "dtype", (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
)
def test_bounds_outside_of_a_type_bound_nothing(dtype):
    x = torch.tensor([0, 1, 127, 100], dtype=dtype)

    def run(x):
        return (
            torch.clamp(x, max=2**40) + x,
            torch.clamp(x, min=-(2**40)) + x,
            torch.clamp(x, -(2**33), 300) + x,
            torch.clamp_max(x, 70_000) + x,
        )

    if dtype == torch.uint8:
        x = x.clamp(max=100)
    got = torch.compile(run, backend="grout", options={"min_block_size": 1})(x)
    assert all(map(torch.equal, got, run(x)))


def test_truth_values_are_added_by_or():
    x = torch.tensor([True, False, True, False])

    def run(x):
        return x + True, True + x, x + False, x + x, x + 1

    got = torch.compile(run, backend="grout", options={"min_block_size": 1})(x)
    for one, other in zip(got, run(x)):
        assert one.dtype == other.dtype and torch.equal(one, other)
