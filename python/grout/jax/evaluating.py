"""Traces a traced function once more, and replaces operations meanwhile."""

from typing import Any, Callable, Mapping, Optional, Sequence

from jax.extend import source_info_util
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from . import empties, places

_DTYPES = (
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
)

# These operations call a function once, with their operands.
_CALLS = (
    "jit",
    "custom_jvp_call",
    "custom_vjp_call",
    "remat2",
    "checkpoint",
    "closed_call",
    "core_call",
)

Rules = Mapping[str, Callable[..., list[Any]]]


def evaluate(
    jaxpr: Jaxpr, consts: Sequence[Any], arguments: Sequence[Any], rules: Rules
) -> list[Any]:
    """Returns the results of a function. Inlines its calls, and replaces
    operations that have a rule. Raises CompileError for operations that Grout
    does not support."""
    values: dict[Var, Any] = dict(zip(jaxpr.constvars, consts))
    values.update(zip(jaxpr.invars, arguments))

    def read(operand: Any) -> Any:
        return operand.val if isinstance(operand, Literal) else values[operand]

    for equation in jaxpr.eqns:
        names = (
            source_info_util.current_name_stack()
            + equation.source_info.name_stack
        )
        with (
            source_info_util.user_context(
                places.traceback_of(equation), name_stack=names
            ),
            equation.ctx.manager,
        ):
            results = _apply(
                equation, [read(x) for x in equation.invars], rules
            )
        values.update(zip(equation.outvars, results))
    return [read(result) for result in jaxpr.outvars]


def _apply(equation: JaxprEqn, operands: list[Any], rules: Rules) -> list[Any]:
    called = _called(equation)
    if called is not None:
        return evaluate(called.jaxpr, called.consts, operands, rules)
    results = _check(equation, operands)
    if results is not None:
        return results
    rule: Callable[..., list[Any]] = rules.get(
        equation.primitive.name, apply_as_it_is
    )
    return rule(equation, *operands)


def apply_as_it_is(equation: JaxprEqn, *operands: Any) -> list[Any]:
    """Applies the operation of an equation to other operands."""
    primitive = equation.primitive
    results = primitive.bind(
        *operands, **primitive.get_bind_params(equation.params)
    )
    return list(results) if primitive.multiple_results else [results]


def _called(equation: JaxprEqn) -> Optional[ClosedJaxpr]:
    if equation.primitive.name not in _CALLS:
        return None
    called = equation.params.get("jaxpr", equation.params.get("call_jaxpr"))
    return (
        called if isinstance(called, ClosedJaxpr) else ClosedJaxpr(called, ())
    )


def _check(equation: JaxprEqn, operands: list[Any]) -> Optional[list[Any]]:
    """Raises CompileError if Grout does not support an operation. Returns its
    results if arrays without elements determine them."""
    if equation.effects:
        raise places.refusal(equation, "has effects besides its results")
    avals = [
        variable.aval for variable in (*equation.invars, *equation.outvars)
    ]
    for aval in avals:
        if reason := _type_refusal_of(aval):
            raise places.refusal(equation, reason)
    found = [aval for aval in avals if empties.is_empty(aval)]
    if not found:
        return None
    results = empties.apply(equation, operands)
    if results is None:
        raise places.refusal(equation, refusal_of(found[0]))
    return results


def refusal_of(aval: Any) -> str:
    """Returns why Grout has no arrays of this type, or "" if it has them."""
    if not (reason := _type_refusal_of(aval)) and empties.is_empty(aval):
        return f"has an array without elements: {aval.str_short()}"
    return reason


def _type_refusal_of(aval: Any) -> str:
    dtype = getattr(getattr(aval, "dtype", None), "name", str(aval))
    if dtype not in _DTYPES:
        return f"has elements of type {dtype}, which Grout does not have"
    return ""
