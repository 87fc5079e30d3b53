"""Finds the extents of a graph that may be rounded up.

If each row of the results depends only on the same row of the inputs, a graph
that is compiled for more rows also works for fewer: inputs are padded, and
surplus rows of the results are cut off. So batches of many sizes need few
programs.
"""

import math
from typing import Any, Iterable, Optional, Sequence

import sympy
import torch
from torch import fx

from ..graph import orders, support

aten, prims = torch.ops.aten, torch.ops.prims

_REDUCTIONS = {
    aten.amax,
    aten.amin,
    aten.any,
    aten.argmax,
    aten.argmin,
    aten.mean,
    aten.prod,
    aten.sum,
    aten.var,
    aten.cumsum,
}

# These operators do the same with a dimension, whatever its extent.
_ARRANGED = {
    aten.ones,
    aten.zeros,
    aten.permute,
    aten.transpose,
    aten.t,
    aten.unsqueeze,
    aten.squeeze,
    aten.expand,
    aten.clone,
    aten._to_copy,
    aten.alias,
    aten.detach,
    prims.convert_element_type,
}

# These operators take the number of their elements as an argument.
_COUNTS = {
    aten.view,
    aten._unsafe_view,
    aten.reshape,
    aten.expand,
    aten.full,
    aten.ones,
    aten.zeros,
    aten.arange,
    prims.iota,
}


_NUMBERS = (torch.SymInt, torch.SymFloat, torch.SymBool)


def round_up(extent: int) -> int:
    """Rounds up to a multiple of an eighth of the power of two that is not
    above `extent`. That is at most an eighth too much, and gives eight sizes
    for each power of two."""
    if extent <= 8:
        return extent
    step = 1 << (extent.bit_length() - 4)
    return -(-extent // step) * step


def _expression(extent: Any) -> Any:
    """Returns an extent, which may be a symbol, as an expression of sympy."""
    return (
        extent.node.expr
        if isinstance(extent, torch.SymInt)
        else sympy.Integer(extent)
    )


def _tensor(node: Any) -> Optional[torch.Tensor]:
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return value if isinstance(value, torch.Tensor) else None


def _symbols(value: torch.Tensor) -> set[Any]:
    return {
        symbol
        for extent in value.shape
        for symbol in _expression(extent).free_symbols
    }


def dims_of(value: torch.Tensor, symbol: Any) -> list[int]:
    """Returns the dimensions of a tensor that have `symbol` rows, or a whole
    multiple of them."""
    return [
        dim
        for dim, extent in enumerate(value.shape)
        if (_expression(extent) / symbol).is_Integer
    ]


def paddable(module: fx.GraphModule) -> set[Any]:
    """Returns the symbols in a graph's shapes that may be rounded up."""
    nodes = list(module.graph.nodes)
    symbols = {
        symbol
        for node in nodes
        if (value := _tensor(node)) is not None
        for symbol in _symbols(value)
    }
    results = next(node for node in nodes if node.op == "output")
    if any(
        isinstance(node.meta.get("val"), torch.SymInt)
        for node in results.all_input_nodes
    ):
        return set()
    return {
        symbol
        for symbol in symbols
        if all(_keeps_rows(node, symbol) for node in nodes)
    }


def _keeps_rows(node: fx.Node, symbol: Any) -> bool:
    """Whether a node computes each row along `symbol` from the same row
    alone."""
    results = [
        value
        for value in support.values_of(node)
        if isinstance(value, torch.Tensor)
    ]
    for value in results:
        if symbol in _symbols(value) and (
            len(dims_of(value, symbol)) != 1
            or sum(
                symbol in _expression(extent).free_symbols
                for extent in value.shape
            )
            != 1
        ):
            return False
    if node.op != "call_function" or not results:
        # Nodes that compute numbers of rows run again, with larger numbers.
        return node.op in ("placeholder", "output", "call_function")
    operands = [
        value
        for operand in node.all_input_nodes
        if (value := _tensor(operand)) is not None
    ]
    if any(symbol in _symbols(value) for value in (*operands, *results)):
        return _rule(node, operands, symbol)
    return not _computes_with(node, symbol)


def _computes_with(node: fx.Node, symbol: Any) -> bool:
    """Whether one of a node's operands is computed from a number of rows."""
    return any(
        isinstance(operand.meta.get("val"), _NUMBERS)
        and symbol in operand.meta["val"].node.expr.free_symbols
        for operand in node.all_input_nodes
    )


def _rule(node: fx.Node, operands: Sequence[torch.Tensor], symbol: Any) -> bool:
    operator = support.packet(node)
    result = _tensor(node)
    if operator not in _COUNTS and _computes_with(node, symbol):
        return False
    if operator in _REDUCTIONS:
        reduced = _reduced(node, operands[0].dim())
        return not set(dims_of(operands[0], symbol)) & reduced
    if operator is aten.mm:
        return dims_of(operands[0], symbol) in ([], [0]) and dims_of(
            operands[-1], symbol
        ) in ([], [1])
    if operator is aten.bmm:
        return dims_of(operands[0], symbol) in ([], [0], [1]) and dims_of(
            operands[-1], symbol
        ) in ([], [0], [2])
    if operator in support.ATTENTION:
        return all(
            dims_of(operand, symbol) in ([], [0]) for operand in operands
        )
    if operator is aten.embedding:  # has the rows of the second operand
        return symbol not in _symbols(operands[0])
    if result is None:
        return False
    if operator in (aten.view, aten._unsafe_view, aten.reshape):
        return _before(operands[0], symbol) == _before(result, symbol)
    if operator in (aten.slice, aten.select, aten.split_with_sizes, aten.cat):
        dim = _dim(node, result.dim())
        return all(
            dim not in dims_of(value, symbol) for value in (*operands, result)
        )
    if operator is aten.convolution:
        return dims_of(operands[0], symbol) == [0] and not any(
            symbol in _symbols(value) for value in operands[1:]
        )
    if operator is aten.constant_pad_nd:
        return dims_of(operands[0], symbol) == dims_of(result, symbol)
    if operator is aten.full:
        return not isinstance(node.args[1], fx.Node)
    if operator in (aten.arange, prims.iota):
        return _begins_at_a_number(node)
    if operator in _ARRANGED:
        return True
    return torch.Tag.pointwise in getattr(node.target, "tags", ())


def _begins_at_a_number(node: fx.Node) -> bool:
    """Whether element i does not depend on the number of elements."""
    if support.packet(node) is prims.iota:
        return not any(
            isinstance(node.kwargs.get(name), fx.Node)
            for name in ("start", "step")
        )
    return len(node.args) == 1 or not any(
        isinstance(argument, fx.Node)
        for argument in (node.args[0], *node.args[2:])
    )


def _dim(node: fx.Node, rank: int) -> int:
    """Returns the `dim` of a node, which is its second argument (the third of
    split_with_sizes), or has that name."""
    position = 2 if support.packet(node) is aten.split_with_sizes else 1
    dim = (
        node.args[position]
        if len(node.args) > position
        else node.kwargs.get("dim", 0)
    )
    assert isinstance(dim, int)
    if support.packet(node) is aten.select:
        rank += 1
    return dim % rank


def _reduced(node: fx.Node, rank: int) -> set[int]:
    dims: Any = node.args[1] if len(node.args) > 1 else node.kwargs.get("dim")
    if dims is None or dims == []:
        return set(range(rank))
    listed: Iterable[int] = dims if isinstance(dims, (list, tuple)) else (dims,)
    return {dim % max(rank, 1) for dim in listed}


def _before(value: torch.Tensor, symbol: Any) -> Any:
    """Returns the product of the extents before the rows, or None if there are
    no rows. If it stays the same, the first rows remain the first."""
    dims = dims_of(value, symbol)
    if not dims:
        return None
    return math.prod(
        (_expression(extent) for extent in value.shape[: dims[0]]),
        start=sympy.Integer(1),
    )


class Buckets:
    """Pads a graph's arguments to more rows, and cuts its results to the right
    number."""

    def __init__(self, module: fx.GraphModule):
        self._symbols = paddable(module)
        nodes = list(module.graph.nodes)
        self._inputs = [
            node.meta.get("val") for node in nodes if node.op == "placeholder"
        ]
        output = next(node for node in nodes if node.op == "output")
        self._outputs = [_tensor(node) for node in output.args[0]]

    def extents(self, arguments: Sequence[Any]) -> dict[Any, int]:
        """Returns the extents of the symbols that may be rounded up."""
        found: dict[Any, int] = {}
        for value, argument in zip(self._inputs, arguments):
            if isinstance(value, torch.SymInt):
                symbol = value.node.expr
                if symbol in self._symbols:
                    found[symbol] = int(argument)
            elif isinstance(value, torch.Tensor):
                for extent, given in zip(value.shape, argument.shape):
                    if _expression(extent) in self._symbols:
                        found[_expression(extent)] = given
        return found

    def pad(
        self, arguments: Sequence[Any], extents: dict[Any, int]
    ) -> list[Any]:
        """Returns arguments with rows of zeros added at the end."""
        return [
            self._padded(value, argument, extents)
            for value, argument in zip(self._inputs, arguments)
        ]

    @staticmethod
    def _padded(value: Any, argument: Any, extents: dict[Any, int]) -> Any:
        larger = {
            symbol: round_up(extent) for symbol, extent in extents.items()
        }
        if isinstance(value, torch.SymInt):
            return larger.get(value.node.expr, argument)
        if not isinstance(value, torch.Tensor):
            return argument
        for symbol, extent in extents.items():
            for dim in dims_of(value, symbol):
                missing = (
                    argument.shape[dim] // extent * (larger[symbol] - extent)
                )
                if missing:
                    shape = list(argument.shape)
                    shape[dim] = missing
                    argument = torch.cat(
                        [argument, argument.new_zeros(shape)], dim
                    )
        return argument

    def cut(self, results: Sequence[Any], extents: dict[Any, int]) -> list[Any]:
        """Returns results without the surplus rows, as dense as they were."""
        return [
            self._cut(value, result, extents)
            for value, result in zip(self._outputs, results)
        ]

    @staticmethod
    def _cut(
        value: Optional[torch.Tensor], result: Any, extents: dict[Any, int]
    ) -> Any:
        for symbol, extent in extents.items():
            for dim in dims_of(value, symbol) if value is not None else ():
                times = result.shape[dim] // round_up(extent)
                result = result.narrow(dim, 0, times * extent)
        if value is None:
            return result
        shape, stride = result.shape, result.stride()
        if orders.is_dense(shape, stride) or orders.order_of(shape, stride):
            return result
        return result.clone()
