"""Types of results, and errors, are eager's, whatever operators are broken up
into."""

import itertools

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.nn import functional

import grout.torch
from grout.torch import records
from grout.torch.decompositions import eager, tables

TYPES = (
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.bool,
    torch.int8,
    torch.int32,
    torch.int64,
)

aten = torch.ops.aten


def compiled(function):
    return torch.compile(
        function, backend="grout", options={"fallback": "error"}
    )


@pytest.mark.parametrize(
    "operator",
    (
        aten.threshold_backward.default,
        aten.copysign.Tensor,
        aten.ldexp.Tensor,
        aten.hypot.default,
        aten.mse_loss_backward.default,
        aten.lerp.Scalar,
    ),
)
def test_types_of_results(operator):
    """As decomposed, of all mixtures of types, or eager's error."""
    more = {
        aten.threshold_backward.default: (1.0,),
        aten.lerp.Scalar: (0.5,),
        aten.mse_loss_backward.default: (torch.ones(4, 5), 1),
    }
    rule = eager.as_eager(tables.for_cpu(True))[operator]
    for left, right in itertools.product(TYPES, TYPES):
        args = (
            torch.ones(4, 5, dtype=left),
            torch.ones(4, 5, dtype=right),
            *more.get(operator, ()),
        )
        try:
            wanted = operator(*args)
        except RuntimeError as error:
            with pytest.raises(eager.EagerError) as found:
                rule(*args)
            assert str(found.value) == str(error)
            continue
        with FakeTensorMode() as mode:
            got = rule(
                *(
                    mode.from_tensor(x) if isinstance(x, torch.Tensor) else x
                    for x in args
                )
            )
        assert got is NotImplemented or got.dtype == wanted.dtype


def test_types_of_compiled_results():
    def function(x, y):
        return aten.threshold_backward(x, y, 1.0)

    x, y = torch.ones(4, 5, dtype=torch.int64), torch.ones(4, 5)
    assert compiled(function)(x, y).dtype == torch.float32


def test_ldexp_of_integers_knows_infinite_powers():
    x, y = torch.tensor([0, 1, 3]), torch.tensor([2**31 - 1, 2**31 - 1, -2])
    got, wanted = compiled(torch.ldexp)(x, y), torch.ldexp(x, y)
    assert wanted[0].isnan() and torch.equal(
        got.nan_to_num(-1.0), wanted.nan_to_num(-1.0)
    )


@pytest.mark.parametrize("exponent", (True, False, 1, 0))
def test_powers_of_truth_values(exponent):
    """True is another exponent than 1."""
    x = torch.tensor([True, False, True])
    wanted = x**exponent
    got = torch.compile(lambda x: x**exponent, backend="grout")(x)
    assert got.dtype == wanted.dtype and torch.equal(got, wanted)


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.heaviside(x, torch.ones(3, dtype=torch.float64)),
        lambda x: torch.abs(x > 0),
        lambda x: torch.frac(x.int()),
        lambda x: torch.nn.functional.silu(x.int()),
        lambda x: torch.rsub(x > 0, x),
        lambda x: torch.var(x.int()),
        lambda x: torch.std(x.int(), 0, correction=0),
        lambda x: torch.argmax(x > 0),
        lambda x: torch.argmin(x > 0, 0),
    ),
)
@pytest.mark.parametrize("fallback", ("eager", "error"))
def test_errors(function, fallback):
    x = torch.ones(3)
    with pytest.raises(RuntimeError) as wanted:
        function(x)
    run = torch.compile(
        function, backend="grout", options={"fallback": fallback}
    )
    for _ in range(2):
        with pytest.raises(RuntimeError) as found:
            run(x)
        assert type(found.value) is type(wanted.value)
        assert str(found.value) == str(wanted.value)


def test_errors_of_packages(tmp_path):
    class Model(torch.nn.Module):
        def forward(self, x):
            return torch.abs(x > 0)

    with pytest.raises(NotImplementedError, match="abs_cpu"):
        grout.export(Model(), (torch.ones(3),), tmp_path / "model.grout")


def test_what_a_decomposition_runs_is_no_error():
    """Operators within it may be of types that eager does not take alone."""
    x, y = torch.tensor([5.5, -2.5]), torch.tensor([True, True])
    run = torch.compile(
        torch.fmod, backend="grout", options={"fallback": "eager"}
    )
    with records.listen() as operators:
        assert torch.equal(run(x, y), torch.fmod(x, y))
    assert operators


def test_forward_passes_raise_no_errors_of_backward_passes(monkeypatch):
    ask = eager._ask

    def refuse(operator, *args):
        return (
            RuntimeError("refused")
            if "backward" in str(operator)
            else ask(operator, *args)
        )

    monkeypatch.setattr(eager, "_ask", refuse)
    x = torch.randn(3, requires_grad=True)
    run = torch.compile(
        torch.tanh, backend="grout", options={"fallback": "eager"}
    )
    torch.testing.assert_close(run(x), torch.tanh(x))


TARGET = torch.tensor([1, 0])
NUMBERS = torch.tensor([[3, 1, 2, 1], [0, 1, 3, 2]])


@pytest.mark.parametrize(
    "function",
    (
        lambda x: functional.nll_loss(x, TARGET),
        lambda x: functional.nll_loss(x.view(2, 2, 2), TARGET.expand(2, 2)),
        lambda x: functional.cross_entropy(x.float(), TARGET) + x,
        lambda x: functional.glu(x),
        lambda x: functional.unfold(x.view(1, 2, 2, 2), 2),
        lambda x: functional.fold(x.view(1, 8, 1), (2, 2), 2),
        lambda x: functional.interpolate(x.unsqueeze(0), scale_factor=2),
        lambda x: functional.interpolate(x.view(1, 2, 2, 2), scale_factor=2),
        lambda x: functional.interpolate(
            x.view(1, 2, 2, 2), size=(3, 5), mode="nearest-exact"
        ),
        lambda x: functional.avg_pool2d(x.view(2, 2, 2), 2),
        lambda x: functional.avg_pool3d(x.view(1, 2, 2, 2), 2),
        lambda x: functional.max_pool2d(x.view(2, 2, 2), 2),
        lambda x: functional.one_hot(x, 4),
        lambda x: functional.softmax(x, 1),
        lambda x: functional.log_softmax(x[:0], 1),
        lambda x: functional.softmax(x[:, :0], 0),
        lambda x: functional.softmax(x[:0], 1, dtype=torch.float32),
        lambda x: x.index_add(0, TARGET, x, alpha=2),
        lambda x: x.index_add(0, TARGET, x, alpha=0),
        lambda x: torch.arange(4, dtype=x.dtype) + x,
        lambda x: torch.arange(1, 9, 2, dtype=x.dtype) == x,
    ),
)
def test_accepted_types(function):
    """Results and errors of each type, also of tensors without elements."""
    accepted, refused = [], []
    for dtype in (*TYPES, torch.uint8):
        x = NUMBERS.to(dtype)
        try:
            function(x)
        except RuntimeError:
            refused.append(x)
        else:
            accepted.append(x)

    def run(*tensors):
        return [function(x) for x in tensors]

    options = {"fallback": "eager"}
    got = torch.compile(run, backend="grout", options=options)(*accepted)
    torch.testing.assert_close(got, run(*accepted))
    for x in refused:
        torch._dynamo.reset()
        with pytest.raises(RuntimeError):
            torch.compile(function, backend="grout", options=options)(x)


@pytest.mark.parametrize(
    "function",
    (
        lambda x: torch.unique(x, return_inverse=True, return_counts=True),
        lambda x: torch.unique(x[:0], sorted=False),
        lambda x: torch.unique_consecutive(x, dim=1),
        lambda x: torch.bincount(x.view(-1), minlength=3),
        lambda x: torch.bincount(x[:0].view(-1), x[:0].view(-1), minlength=3),
    ),
)
@pytest.mark.parametrize("dtype", (*TYPES, torch.uint8))
def test_accepted_types_where_data_give_shapes(function, dtype):
    """So that graphs break."""
    x = NUMBERS.to(dtype)
    run = torch.compile(
        function, backend="grout", options={"fallback": "eager"}
    )
    try:
        wanted = function(x)
    except RuntimeError:
        with pytest.raises(RuntimeError):
            run(x)
    else:
        torch.testing.assert_close(run(x), wanted)
