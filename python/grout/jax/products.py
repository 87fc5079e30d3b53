"""Products of rows in groups, which StableHLO does not have: a call stands for
such a product until the program is in `linalg`."""

from typing import Any

import jax
from jax.extend.core import Primitive
from jax.extend.mlir import ir
from jax.interpreters import mlir

_CALL = "grout.grouped_matmul"

# Errors name the operation that users know.
_product = Primitive("ragged_dot_general")


def grouped_matmul(
    x: Any, matrices: Any, ends: Any, transposed: bool, dtype: Any
) -> Any:
    """Multiplies each row of `x` [rows, k] by the matrix of its group:
    `matrices` [groups, k, n], or [groups, n, k] if they are `transposed`. A row
    is in the first group whose end is beyond it; `ends` [groups] are int32.
    Returns [rows, n] of type `dtype`. Rows in no group are undefined."""
    return _product.bind(
        x, matrices, ends, transposed=transposed, dtype=dtype.name
    )


def _aval(
    x: Any, matrices: Any, ends: Any, *, transposed: bool, dtype: str
) -> Any:
    columns = matrices.shape[1 if transposed else 2]
    return jax.core.ShapedArray((x.shape[0], columns), dtype)


_product.def_abstract_eval(_aval)
mlir.register_lowering(_product, jax.ffi.ffi_lowering(_CALL))


def fold_transposes(module: Any) -> None:
    """Lets calls in a module of StableHLO read matrices as they are stored,
    where a transpose is between."""
    for call in _calls(module):
        source = call.operands[1].owner
        if isinstance(source, ir.Block):  # an argument
            continue
        op = source.operation
        if op.name == "stablehlo.transpose" and (
            list(op.attributes["permutation"]) == [0, 2, 1]
        ):
            call.operands[1] = op.operands[0]
            call.attributes["mhlo.backend_config"] = ir.DictAttr.get(
                {"transposed": ir.BoolAttr.get(not _is_transposed(call))}
            )


def replace_calls(module: Any) -> None:
    """Replaces the calls in a module of `linalg` by `tgemm.grouped_matmul`."""
    module.context.allow_unregistered_dialects = True
    for call in _calls(module):
        attributes: dict[str, Any] = {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, 0, 1])
        }
        if _is_transposed(call):
            attributes["transpose_rhs"] = ir.UnitAttr.get()
        product = ir.Operation.create(
            "tgemm.grouped_matmul",
            results=[call.result.type],
            operands=list(call.operands),
            attributes=attributes,
            regions=1,
            loc=call.location,
            ip=ir.InsertionPoint(call),
        )
        call.result.replace_all_uses_with(product.result)
        call.erase()


def _calls(module: Any) -> list[Any]:
    return [
        op.operation
        for function in module.body.operations
        for region in function.operation.regions
        for block in region.blocks
        for op in block.operations
        if op.operation.name == "stablehlo.custom_call"
        and op.call_target_name.value == _CALL
    ]


def _is_transposed(call: Any) -> bool:
    flag: bool = call.attributes["mhlo.backend_config"]["transposed"].value
    return flag
