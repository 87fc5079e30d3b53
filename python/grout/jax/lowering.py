"""Lowers traced functions to MLIR."""

import itertools
from typing import Any, Iterator, Sequence

import jax
from jax.extend.core import ClosedJaxpr
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo
from jax.extend.mlir.passmanager import PassManager
from jaxlib.mlir._mlir_libs import _jax_mlir_ext

from ..errors import CompileError, Diagnostic
from . import decompositions, places, products
from .evaluating import evaluate, refusal_of

stablehlo.register_stablehlo_passes()

# Unsigned integers become signless at the end, when no op is left that tells
# signed and unsigned integers apart.
_PASSES = (
    "builtin.module(symbol-dce,func.func(chlo-legalize-to-stablehlo),"
    "stablehlo-legalize-to-linalg,stablehlo-convert-to-signless,"
    "canonicalize,cse)"
)

_DIALECTS = {
    "arith",
    "builtin",
    "func",
    "linalg",
    "math",
    "scf",
    "tensor",
    "tgemm",
}


def to_stablehlo(traced: ClosedJaxpr, name: str) -> Any:
    """Returns a module of StableHLO, as JAX makes it for CPUs. Its function
    `main` takes the arrays that the traced function captures, and then the
    arguments. Raises CompileError."""

    def program(captured: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
        return evaluate(traced.jaxpr, captured, arguments, decompositions.RULES)

    program.__name__ = name
    if not traced.out_avals:
        raise CompileError(f"{name} has no results", [])
    for kind, avals in (
        ("an argument", traced.in_avals),
        ("a result", traced.out_avals),
    ):
        for aval in avals:
            if reason := refusal_of(aval):
                raise CompileError(f"{kind} of {name} {reason}", [])
    captured = [
        jax.ShapeDtypeStruct(value.shape, value.dtype)
        for value in traced.consts
    ]
    arguments = [
        jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)
        for aval in traced.in_avals
    ]
    return (
        jax.jit(program, keep_unused=True)
        .trace(captured, arguments)
        .lower(lowering_platforms=("cpu",))
        .compiler_ir("stablehlo")
    )


def to_linalg(module: Any) -> str:
    """Converts a module of StableHLO, in place, to `linalg` on tensors, and
    returns its text. Raises CompileError."""
    found: list[Diagnostic] = []

    def listen(diagnostic: Any) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            found.append(
                places.at_location(
                    "", diagnostic.message, str(diagnostic.location)
                )
            )
        return True

    with module.context:
        _inline(module)
        products.fold_transposes(module)
        handler = module.context.attach_diagnostic_handler(listen)
        try:
            PassManager.parse(_PASSES).run(module.operation)
        except ir.MLIRError as error:
            raise CompileError(str(error), found) from error
        finally:
            handler.detach()
        products.replace_calls(module)
    found += [
        places.at_location(
            op.name, f"is not lowered to linalg ({op.name})", str(op.location)
        )
        for op in _leftovers(module)
    ]
    if found:
        raise CompileError("the function is refused", found)
    text: str = module.operation.get_asm(enable_debug_info=True)
    return text


def _leftovers(module: Any) -> list[Any]:
    """Returns the ops of dialects that Grout does not have, first those inside
    of functions."""
    body = [op.operation for op in module.body.operations]
    inner = itertools.chain.from_iterable(map(_walk, body))
    return [op for op in (*inner, *body) if not _is_lowered(op)]


def _walk(op: Any) -> Iterator[Any]:
    """Yields the ops in `op`, but does not enter ops of other dialects."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                if _is_lowered(inner.operation):
                    yield from _walk(inner.operation)


def _is_lowered(op: Any) -> bool:
    return op.name.partition(".")[0] in _DIALECTS


def _inline(module: Any) -> None:
    """Inlines the functions that JAX shares between operations, because
    jaxlib's pass does not convert calls."""
    functions = {
        op.name.value: op
        for op in module.body.operations
        if op.operation.name == "func.func"
    }
    main = functions["main"].operation
    while calls := [
        op
        for op in main.regions[0].blocks[0].operations
        if op.operation.name == "func.call"
    ]:
        for call in calls:
            callee = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
            with ir.InsertionPoint(call), call.location:
                results = _jax_mlir_ext.inlined_func_call(
                    functions[callee].operation,
                    list(call.operands),
                    call.location,
                )
            for old, new in zip(call.results, results):
                old.replace_all_uses_with(new)
            call.erase()
