"""GEMMs of f32 on GPUs whose matrix instructions take 16-bit operands."""

from typing import Any, Optional

import torch
from torch import fx

from ... import compiler_options, targets
from ..graph import support
from . import padding
from .rewrite import Rewrite

aten, prims = torch.ops.aten, torch.ops.prims

# From these sizes on, six GEMMs of bf16 take no longer than one GEMM of f32 in
# cuBLAS. For smaller GEMMs, splitting the operands into bf16 takes too long.
_LEAST_EXTENT, _LEAST_FLOPS = 256, 1e9


def choices() -> list[str]:
    """Returns the values of the compiler's option f32-products, without
    "auto"."""
    values = compiler_options.options()["f32_products"].values
    return [value for value in values if value != "auto"]


def choose(given: Optional[str], target: targets.Target) -> str:
    """Returns the value of the option f32-products: `given`, or the value that
    PyTorch's precision setting allows."""
    if given is not None:
        return given
    if _takes_16_bits(target) and _precision() == "medium":
        return "bf16"
    return "auto"


def refusal(
    node: fx.Node,
    given: Optional[str],
    target: targets.Target,
    may_be_padded: bool = True,
) -> Optional[str]:
    """Returns why a GEMM of f32 is better left to PyTorch; None if it is not,
    or if the user has `given` the option."""
    if (
        given is not None
        or not _takes_16_bits(target)
        or not support.is_matrix_product(node)
        or node.meta["val"].dtype != torch.float32
        or _are_widened(node, may_be_padded)
    ):
        return None
    precision = _precision()
    if precision == "high":
        return "products of TF32, which PyTorch may use here, are faster"
    if precision == "highest" and not _is_fast(node):
        return "PyTorch's product of f32 is faster at this size"
    return None


def _takes_16_bits(target: targets.Target) -> bool:
    return target.has_products and not target.has_f32_products


def _are_widened(node: fx.Node, may_be_padded: bool) -> bool:
    """Whether both operands were widened from one 16-bit type. The GEMM then
    multiplies them in that type, unless padding comes in between."""
    narrow = {_narrow_type(factor) for factor in node.args[:2]}
    return (
        len(narrow) == 1
        and None not in narrow
        and not (
            may_be_padded
            and any(
                factor.meta["val"].shape[-1] % padding.unit()
                for factor in node.all_input_nodes
            )
        )
    )


def _narrow_type(factor: Any) -> Optional[torch.dtype]:
    # Batches are copied to become one dimension.
    while (
        support.is_private_view(factor) or support.packet(factor) is aten.clone
    ):
        factor = factor.args[0]
    if support.packet(factor) not in (
        aten._to_copy,
        prims.convert_element_type,
    ):
        return None
    source: torch.dtype = factor.args[0].meta["val"].dtype
    return source if source in (torch.float16, torch.bfloat16) else None


def _is_fast(node: fx.Node) -> bool:
    x = node.args[0]
    assert isinstance(x, fx.Node)
    rows, columns = node.meta["val"].shape[-2:]
    return (
        min(rows, columns) >= _LEAST_EXTENT
        and 2 * x.meta["val"].numel() * columns >= _LEAST_FLOPS
    )


def _precision() -> str:
    """Returns PyTorch's precision of f32 GEMMs: "highest", "high" or
    "medium"."""
    try:
        return torch.get_float32_matmul_precision()
    except RuntimeError:  # The precision is set for this backend alone.
        is_tf32 = torch.backends.cuda.matmul.fp32_precision == "tf32"
        return "high" if is_tf32 else "highest"


REWRITE = Rewrite(
    refusal=lambda node, context: refusal(
        node,
        context.f32_products,
        context.target,
        may_be_padded=node not in context.unpadded,
    ),
    after=("convolutions",),
)
