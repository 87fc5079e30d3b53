"""Says which operators Grout compiles, and in one sentence why not the
others."""

import operator
from typing import Any, Container, Iterable, Optional

import torch
from torch import fx

from ..decompositions import grouped, histograms, sorting
from . import collectives

aten, prims = torch.ops.aten, torch.ops.prims

_VIEWS = {
    aten.alias,
    aten.as_strided,
    aten.detach,
    aten.diagonal,
    aten.expand,
    aten.permute,
    aten.select,
    aten.slice,
    aten.split,
    aten.split_with_sizes,
    aten.squeeze,
    aten.t,
    aten.transpose,
    aten.unbind,
    aten.unfold,
    aten.unsqueeze,
    aten.view,
    aten._unsafe_view,
    aten.reshape,
}

_SHAPES = (
    _VIEWS
    - {aten.as_strided, aten.diagonal, aten.unbind, aten.unfold, aten.split}
) | {
    aten.cat,
    aten.clone,
    aten.constant_pad_nd,
    aten._to_copy,
    aten.copy,
    prims.convert_element_type,
    aten.lift_fresh_copy,
}

_CASTS = {aten._to_copy, aten.copy, prims.convert_element_type}

_POINTWISE = {
    aten.abs,
    aten.acos,
    aten.acosh,
    aten.add,
    aten.asin,
    aten.asinh,
    aten.atan,
    aten.atan2,
    aten.atanh,
    aten.bitwise_and,
    aten.bitwise_not,
    aten.bitwise_or,
    aten.bitwise_right_shift,
    aten.bitwise_xor,
    aten.ceil,
    aten.clamp,
    aten.clamp_max,
    aten.clamp_min,
    aten.cos,
    aten.cosh,
    aten.div,
    aten.eq,
    aten.erf,
    aten.erfc,
    aten.exp,
    aten.exp2,
    aten.expm1,
    aten.floor,
    aten.fmod,
    aten.ge,
    aten.gt,
    aten.isinf,
    aten.isnan,
    aten.le,
    aten.log,
    aten.log10,
    aten.log1p,
    aten.log2,
    aten.logical_and,
    aten.logical_not,
    aten.logical_or,
    aten.logical_xor,
    aten.lt,
    aten.maximum,
    aten.minimum,
    aten.mul,
    aten.ne,
    aten.neg,
    aten.pow,
    aten.reciprocal,
    aten.relu,
    aten.remainder,
    aten.round,
    aten.rsqrt,
    aten.sigmoid,
    aten.sign,
    aten.signbit,
    aten.sin,
    aten.sinh,
    aten.sqrt,
    aten.sub,
    aten.tan,
    aten.tanh,
    aten.trunc,
    aten.where,
    aten.square,
    aten.rsub,
}

_REDUCTIONS = {
    aten.amax,
    aten.amin,
    aten.any,
    aten.argmax,
    aten.argmin,
    aten.mean,
    aten.prod,
    aten.sum,
}

_PRODUCTS = {aten.bmm, aten.convolution, aten.mm}

_FILLS = {
    aten.arange,
    aten.full,
    aten.full_like,
    aten.ones,
    aten.scalar_tensor,
    aten.zeros,
    prims.iota,
}

_INDEXED = {aten.embedding, aten.gather, aten.index, aten.index_select}

_SCATTERS = {aten.index_put, aten.scatter}

_ADDING = {
    aten.embedding_dense_backward,
    aten.index_reduce,
    aten.scatter_add,
    aten.scatter_reduce,
}

_OPERATORS = (
    _SHAPES
    | _POINTWISE
    | _REDUCTIONS
    | _PRODUCTS
    | {aten._grouped_mm, torch.ops.grout.grouped_rows}
    | {one.overloadpacket for one in collectives.OPERATORS}
    | _FILLS
    | _INDEXED
    | _SCATTERS
    | _ADDING
)

IN_PLACE = "grout_in_place"
"""Key in the metadata of updates that kernels do in place."""

_CONVOLUTIONS = {aten.convolution_backward, aten._convolution}

_BY_INDEX = {
    aten._embedding_bag,
    aten._embedding_bag_forward_only,
}

ATTENTION = {
    aten.scaled_dot_product_attention,
    aten._scaled_dot_product_cudnn_attention,
    aten._scaled_dot_product_efficient_attention,
    aten._scaled_dot_product_flash_attention,
    aten._scaled_dot_product_fused_attention_overrideable,
}
"""The operators that compute whole attention of query, key and value on
GPUs."""

_SORTS = {aten.kthvalue, aten.median, aten.nanmedian, aten.sort, aten.topk}

_TYPES = {
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.bool,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
}


def packet(node: fx.Node) -> Any:
    """Returns the operator of a node without its overload."""
    return getattr(node.target, "overloadpacket", node.target)


def name_of(node: fx.Node) -> str:
    """Returns the name of a node's operator, such as "aten.mm.default"."""
    return str(node.target)


def is_excluded(node: fx.Node, excluded: Container[str]) -> bool:
    """Whether `excluded` has the name of a node's operator, with or without its
    overload."""
    name = name_of(node)
    return name in excluded or name.rpartition(".")[0] in excluded


def is_view(node: fx.Node) -> bool:
    """Whether a node is a view of memory, or takes one of several results of a
    node."""
    return packet(node) in _VIEWS or node.target is operator.getitem


def is_private_view(node: fx.Node) -> bool:
    """Whether a node is a view of memory. Unlike `is_view`, this is false for
    one of several results of a node, which exists only together with the
    others."""
    return packet(node) in _VIEWS


def readers_of(node: fx.Node) -> list[fx.Node]:
    """Returns the nodes that read the value of a node, directly or through
    views."""
    readers = []
    for user in node.users:
        readers += readers_of(user) if is_private_view(user) else [user]
    return readers


def is_constant(node: fx.Node) -> bool:
    """Whether a node fills a tensor, or counts, and has no operands."""
    return (
        node.op == "call_function"
        and packet(node) in _FILLS
        and not node.all_input_nodes
    )


def is_fill(node: fx.Node) -> bool:
    """Whether a node gives all elements of a tensor the same number."""
    return packet(node) in _FILLS - {aten.arange, prims.iota}


def is_pointwise(node: fx.Node) -> bool:
    """Whether each element of a node's value depends only on the elements of
    its operands at the same position."""
    return packet(node) in _POINTWISE | _CASTS


def is_rearranged(node: fx.Node) -> bool:
    """Whether each element of a node's value is an element of an operand."""
    return packet(node) in _SHAPES - _CASTS - {aten.constant_pad_nd}


def is_higher_order(node: fx.Node) -> bool:
    """Whether a node calls other operators, as torch.cond does."""
    return isinstance(node.target, torch._ops.HigherOrderOperator)


def is_product(node: fx.Node) -> bool:
    """Whether a node is a GEMM or a convolution."""
    return packet(node) in _PRODUCTS


def is_matrix_product(node: fx.Node) -> bool:
    return is_product(node) and packet(node) is not aten.convolution


def is_indexed(node: fx.Node) -> bool:
    """Whether a node takes elements at computed indices."""
    return node.op == "call_function" and packet(node) in _INDEXED


def is_scatter(node: fx.Node) -> bool:
    """Whether a node replaces elements at computed indices."""
    return (
        node.op == "call_function"
        and packet(node) in _SCATTERS
        and not is_adding(node)
    )


def is_adding(node: fx.Node) -> bool:
    """Whether a node combines elements at computed indices, for example by
    adding them."""
    if node.op != "call_function":
        return False
    if packet(node) is aten.index_put:
        return any(node.args[3:]) or bool(node.kwargs.get("accumulate"))
    return packet(node) in _ADDING or node.target in (
        aten.scatter.reduce,
        aten.scatter.value_reduce,
    )


def is_update(node: fx.Node) -> bool:
    """Whether a node copies new elements into an existing tensor."""
    return node.op == "call_function" and packet(node) is aten.copy_


def is_in_place(node: fx.Node) -> bool:
    """Whether kernels do an update in place (see updates.mark)."""
    return bool(node.meta.get(IN_PLACE))


def is_empty(node: Any) -> bool:
    """Whether a node's value is a tensor that is known to have no elements."""
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return isinstance(value, torch.Tensor) and any(
        isinstance(extent, int) and extent == 0 for extent in value.shape
    )


def is_check(node: fx.Node) -> bool:
    """Whether a node raises an error if a computed bool is false."""
    return packet(node) is aten._assert_async


def computes_nothing(node: fx.Node) -> bool:
    """Whether a node is a view, has no elements, or is a check."""
    return is_view(node) or is_empty(node) or is_check(node)


def values_of(node: fx.Node) -> Iterable[Any]:
    value = node.meta.get("val")
    return value if isinstance(value, (tuple, list)) else (value,)


def device_of(module: fx.GraphModule) -> Optional[torch.device]:
    """Returns the GPU that has tensors of a graph, or the CPU if no GPU has
    any. Returns None if several GPUs have tensors, or if there are no
    tensors."""
    devices = {
        value.device
        for node in module.graph.nodes
        for value in values_of(node)
        if isinstance(value, torch.Tensor)
    }
    of_gpus = {device for device in devices if device.type == "cuda"}
    if len(of_gpus) > 1:
        return None
    return (
        of_gpus.pop()
        if of_gpus
        else torch.device("cpu")
        if torch.device("cpu") in devices
        else next(iter(devices), None)
    )


def reason_of_value(value: Any, device: torch.device) -> Optional[str]:
    """Returns why Grout cannot compute with a value of a graph whose other
    values are on `device`; None if it can."""
    if not isinstance(value, torch.Tensor):
        return f"a value is a {type(value).__name__}, not a tensor"
    if value.layout != torch.strided or value.is_quantized:
        return "a tensor is sparse, quantised or of another layout"
    if value.dtype not in _TYPES:
        return f"elements are {str(value.dtype).removeprefix('torch.')}"
    if value.device != device:
        return f"a tensor is on {value.device}, others are on {device}"
    if any(not isinstance(extent, int) for extent in value.shape):
        return "a shape is not known"
    if value.numel() == 0:
        return "a tensor is empty"
    return None


def _reason_of_places(node: fx.Node) -> Optional[str]:
    places = [
        operand
        for operand in node.all_input_nodes
        if operand is not node.args[0]
    ]
    if not places:
        return "its places are its own elements"
    for operand in places:
        value = operand.meta["val"]
        if packet(node) is aten.gather and not value.dim():
            return "a place alone, without axes"
        if value.dtype not in (torch.int32, torch.int64):
            return "places are truth values, or numbers of few bits"
    if node.args[0].meta["val"].dim() == 0:
        return "what it takes elements of has no axes"
    return None


def _reason_of_scatter(node: fx.Node) -> Optional[str]:
    if node.meta["val"].dim() == 0:
        return "what it replaces elements of has no axes"
    if packet(node) is aten.scatter:
        return (
            None
            if node.target in (aten.scatter.src, aten.scatter.value)
            else f"Grout has no {node.target}"
        )
    tensor, places, values, *_ = node.args
    assert isinstance(tensor, fx.Node) and isinstance(places, (list, tuple))
    given = [place for place in places if isinstance(place, fx.Node)]
    if not given or any(
        place.meta["val"].dtype not in (torch.int32, torch.int64)
        for place in given
    ):
        return "places are truth values, or numbers of few bits"
    assert isinstance(values, fx.Node)
    if values.meta["val"].dtype != tensor.meta["val"].dtype:
        return "what it puts there is of another type"
    return None


def _reason_of_shift(node: fx.Node) -> Optional[str]:
    _, bits = node.args
    if (
        isinstance(bits, fx.Node)
        and packet(bits) is aten.full
        and isinstance(bits.args[1], int)
    ):
        bits = bits.args[1]
    if not isinstance(bits, int):
        return "it shifts by a number that is not known"
    # What importers make of a shift by all bits of an element is undefined.
    if 0 <= bits < 8 * node.meta["val"].itemsize:
        return None
    return f"it shifts by {bits} bits"


def _reason_of_histogram(node: fx.Node) -> str:
    x, *rest = node.args
    assert isinstance(x, fx.Node)
    numbers: Any = [*rest, *(100, 0, 0)[len(rest) :]]
    problem = histograms.find_problem(x.meta["val"], *numbers)
    return problem or "it was not known when the graph was made"


def _reason_of_sort(node: fx.Node) -> str:
    operand = node.args[0]
    assert isinstance(operand, fx.Node)
    x = operand.meta["val"]
    position = 2 if packet(node) in (aten.kthvalue, aten.topk) else 1
    dim: Any = (*node.args, *[node.kwargs.get("dim", -1)] * 3)[position]
    if node.target in (aten.median.default, aten.nanmedian.default):
        x = x.reshape(-1)
    find_problem = (
        sorting.find_problem
        if packet(node) is aten.sort
        else sorting.find_problem_of_ranks
    )
    return find_problem(x, dim) or "it takes elements of an axis that has none"


def refusal(
    node: fx.Node, device: torch.device, excluded: frozenset[str]
) -> Optional[str]:
    """Returns why a node is left to PyTorch, as a sentence without its full
    stop; None if Grout compiles it."""
    target = packet(node)
    if node.target is operator.getitem:
        return "what it takes a result of is left to PyTorch"
    if is_higher_order(node):
        return f"Grout has no {node.target}, which calls other operators"
    if not isinstance(node.target, torch._ops.OpOverload):
        return f"{node.target} is not an operator of ATen"
    name = name_of(node)
    if name.startswith("_c10d_functional."):
        return "collectives are left to torch.distributed"
    if is_excluded(node, excluded):
        return "it is among excluded_ops"
    if target in _CONVOLUTIONS:
        return "gradients of convolutions are left to PyTorch"
    if target in _BY_INDEX:
        return (
            "not all of its bags have the same number of indices, that is known"
        )
    if target is aten.bincount:
        return "the size of its result depends on its elements"
    if target in _SORTS:
        return _reason_of_sort(node)
    if target is aten.histc:
        return _reason_of_histogram(node)
    if is_update(node):
        return (
            None
            if is_in_place(node)
            else "it is updated as a whole, or used elsewhere, too"
        )
    if target not in _OPERATORS:
        return f"Grout has no {name.rpartition('.')[0]}"
    for value in values_of(node):
        if reason := reason_of_value(value, device):
            return reason
    if grouped.is_grouped(node) and (reason := grouped.refusal(node)):
        return reason
    if target is aten.bitwise_right_shift and (
        reason := _reason_of_shift(node)
    ):
        return reason
    if is_indexed(node) and (reason := _reason_of_places(node)):
        return reason
    if is_scatter(node) and (reason := _reason_of_scatter(node)):
        return reason
    for operand in node.all_input_nodes:
        for value in values_of(operand):
            if reason := reason_of_value(value, device):
                # Such a value may also be a scalar on the CPU, which PyTorch's
                # GPU kernels read as a number.
                return reason
    return None
