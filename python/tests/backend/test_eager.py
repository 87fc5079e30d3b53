"""Types of results, and errors, are eager's, whatever operators are broken up
into."""

import itertools

import pytest
import torch
from torch._subclasses import FakeTensorMode

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
