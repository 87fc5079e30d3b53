"""Replaces complex tensors by two real tensors each: real and imaginary parts.

For example, rotary embeddings of DeepSeek-V2 view pairs of elements as complex
numbers, multiply them by others, and view the products as pairs again. Then
only sums and products of real numbers are left.

Complex numbers that a graph gets, returns, or gives to an operator without a
rule stay complex, and with them all complex numbers that depend on these, or on
which these depend.
"""

from typing import Any, Callable, Union

import torch
from torch import fx

from ..decompositions import strides, tables
from ..graph import support
from ..graph.nodes import insert
from . import views
from .rewrite import Rewrite

aten = torch.ops.aten
prims = torch.ops.prims

Part = Union[fx.Node, float]
Parts = tuple[Part, Part]
"""The real and the imaginary part of a tensor, or of a number."""

_OF_EACH_PART = {
    aten.alias,
    aten.cat,
    aten.clone,
    aten.detach,
    aten.expand,
    aten.index,
    aten.index_select,
    aten.neg,
    aten.permute,
    aten.reshape,
    aten.select,
    aten.slice,
    aten.squeeze,
    aten.sum,
    aten.t,
    aten.transpose,
    aten.unsqueeze,
    aten.view,
    aten._unsafe_view,
}
"""Operators whose parts are the operator's results for the parts."""


def _real_of_pairs(x: Any) -> Any:
    return x.select(-1, 0)


def _imaginary_of_pairs(x: Any) -> Any:
    return x.select(-1, 1)


def _real_of_polar(length: Any, angle: Any) -> Any:
    return length * angle.cos()


def _imaginary_of_polar(length: Any, angle: Any) -> Any:
    return length * angle.sin()


def _real_of_product(a: Any, b: Any, c: Any, d: Any) -> Any:
    return a * c - b * d


def _imaginary_of_product(a: Any, b: Any, c: Any, d: Any) -> Any:
    return a * d + b * c


def _pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    part = torch.arange(2, device=x.device)
    return torch.where(part == 0, x.unsqueeze(-1), y.unsqueeze(-1))


_MADE_OF_REAL: dict[Any, tuple[Callable[..., Any], Callable[..., Any]]] = {
    aten.view_as_complex: (_real_of_pairs, _imaginary_of_pairs),
    aten.polar: (_real_of_polar, _imaginary_of_polar),
    aten.complex: (
        lambda x, y: torch.broadcast_tensors(x, y)[0],
        lambda x, y: torch.broadcast_tensors(x, y)[1],
    ),
}
"""For operators that make complex numbers of real operands, the functions that
compute the parts."""

_SUMS = {aten.add.Tensor, aten.sub.Tensor}
_CASTS = {aten._to_copy, prims.convert_element_type}
_CONJUGATES = {aten._conj, aten._conj_physical}


def split(module: fx.GraphModule) -> None:
    """Replaces the complex tensors of a graph."""
    nodes = _find(module)
    if not nodes:
        return
    splitter = _Splitter(module)
    for node in list(module.graph.nodes):
        if node in nodes:
            splitter.split(node)
        elif any(operand in nodes for operand in node.all_input_nodes):
            splitter.join(node)
    for node in reversed(list(module.graph.nodes)):
        if node in nodes:
            module.graph.erase_node(node)
    module.recompile()


def _is_complex(node: Any) -> bool:
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return isinstance(value, torch.Tensor) and value.is_complex()


def _find(module: fx.GraphModule) -> set[fx.Node]:
    """Returns the complex nodes that are to be replaced."""
    kept = [
        node
        for node in module.graph.nodes
        if _is_complex(node) and not (_has_rule(node) and _is_read(node))
    ]
    found = set(filter(_is_complex, module.graph.nodes)).difference(kept)
    while kept:
        node = kept.pop()
        for other in (*node.all_input_nodes, *node.users):
            if other in found:
                found.remove(other)
                kept.append(other)
    return found


def _has_rule(node: fx.Node) -> bool:
    if node.op != "call_function":
        return False
    packet = support.packet(node)
    if packet in _CASTS:
        return _is_complex(node.args[0])
    if packet in _OF_EACH_PART:
        # A view of another type has other elements.
        return node.target is not aten.view.dtype and all(
            map(_is_complex, _tensors(node))
        )
    if node.target in _SUMS:
        return not isinstance(node.kwargs.get("alpha"), complex)
    return (
        packet in _MADE_OF_REAL
        or packet in _CONJUGATES
        or node.target is aten.mul.Tensor
    )


def _tensors(node: fx.Node) -> list[Any]:
    """Returns the operands whose elements an operator of _OF_EACH_PART
    rearranges or adds."""
    first = node.args[0]
    return list(first) if isinstance(first, (list, tuple)) else [first]


def _is_read(node: fx.Node) -> bool:
    """Whether all readers are complex, or view the numbers as pairs."""
    return all(
        _is_complex(user)
        or (support.packet(user) is aten.view_as_real and _may_be_new(user))
        for user in node.users
    )


def _may_be_new(node: fx.Node) -> bool:
    """Whether a new tensor may replace a view: the graph does not return it, or
    the view has no gaps, which the result would have, too."""
    return strides.is_dense(node.meta["val"]) or not views.is_result(node)


class _Splitter:
    def __init__(self, module: fx.GraphModule):
        self._graph = module.graph
        self._table = tables.for_graph(module)
        self._parts: dict[fx.Node, Parts] = {}

    def split(self, node: fx.Node) -> None:
        """Adds the nodes that compute the parts of a complex node."""
        packet = support.packet(node)
        with self._graph.inserting_before(node):
            if packet in _MADE_OF_REAL:
                real, imaginary = _MADE_OF_REAL[packet]
                parts = (
                    self._add(node, real, *node.args),
                    self._add(node, imaginary, *node.args),
                )
            elif node.target is aten.mul.Tensor:
                factors = (*self._of(node.args[0]), *self._of(node.args[1]))
                parts = (
                    self._add(node, _real_of_product, *factors),
                    self._add(node, _imaginary_of_product, *factors),
                )
            elif node.target in _SUMS:
                (a, b), (c, d) = (self._summand(node, x) for x in node.args)
                parts = (
                    self._add(node, node.target, a, c, **node.kwargs),
                    self._add(node, node.target, b, d, **node.kwargs),
                )
            elif packet in _CONJUGATES:
                x, y = self._of(node.args[0])
                parts = x, self._add(node, torch.neg, y)
            else:
                parts = self._for_each(node, 0), self._for_each(node, 1)
        self._parts[node] = parts

    def join(self, node: fx.Node) -> None:
        """Replaces a view of complex numbers as pairs."""
        wanted = node.meta["val"]
        with self._graph.inserting_before(node):
            pairs = self._add(
                node,
                lambda x, y: strides.laid_out(_pairs(x, y), wanted),
                *self._of(node.args[0]),
            )
        node.replace_all_uses_with(pairs)
        self._graph.erase_node(node)

    def _of(self, operand: Any) -> Parts:
        if isinstance(operand, complex):
            return operand.real, operand.imag
        return self._parts.get(operand, (operand, 0.0))

    def _summand(self, node: fx.Node, operand: Any) -> Parts:
        """Returns the parts of an operand of a sum. A real tensor gets an
        imaginary part of its shape, which the shape of the sum depends on."""
        x, y = self._of(operand)
        if x is operand and isinstance(operand, fx.Node):
            y = self._add(node, torch.zeros_like, operand)
        return x, y

    def _for_each(self, node: fx.Node, part: int) -> fx.Node:
        """Adds the operator of a node for one part of its operands."""

        def of(operand: Any) -> Any:
            if isinstance(operand, fx.Node):
                is_split = operand in self._parts
                return self._parts[operand][part] if is_split else operand
            if isinstance(operand, torch.dtype):
                return operand.to_real()
            if isinstance(operand, (list, tuple)):
                return type(operand)(map(of, operand))
            return operand

        args = map(of, node.args)
        kwargs = {name: of(one) for name, one in node.kwargs.items()}
        return self._add(node, node.target, *args, **kwargs)

    def _add(
        self, node: fx.Node, function: Any, *args: Any, **kwargs: Any
    ) -> fx.Node:
        """Adds the operators that a function calls, for a result of the type of
        a part of `node`."""
        operands: list[fx.Node] = []
        fx.map_arg((args, kwargs), operands.append)
        dtype = node.meta["val"].dtype.to_real()

        def run(*values: Any) -> torch.Tensor:
            of = dict(zip(operands, values))
            given, named = fx.map_arg((args, kwargs), of.__getitem__)
            result: torch.Tensor = function(*given, **named).to(dtype)
            return result

        meta = {key: of for key, of in node.meta.items() if key != "val"}
        return insert(self._graph, run, operands, self._table, meta)


REWRITE = Rewrite(apply=lambda module, context: split(module))
