"""Attention with sinks on GPUs, as in GPT-OSS: each row of scores has one more
score, the sink, which takes a part of the softmax and is then dropped.

This pass makes it attention with one more key and one more value, which are
zeros. The sink is added to the score of that key, which is 0. So no column of
the weights is cut off, which would leave rows at addresses from which GPUs
cannot load, and the compiler finds attention with a bias.
"""

from typing import Any, Callable, Optional

import torch
from torch import fx

from ... import targets
from ..graph import support
from ..graph.nodes import call
from .rewrite import Rewrite

aten, prims = torch.ops.aten, torch.ops.prims

_FEWEST_QUERIES = 16
"""For fewer queries, copying keys and values takes longer than it saves."""

_TYPES = (torch.float16, torch.bfloat16)

_CASTS = {aten._to_copy, prims.convert_element_type, aten.clone}
_SHAPES = {aten.view, aten._unsafe_view, aten.expand}


def expand(module: fx.GraphModule, target: targets.Target) -> None:
    """Replaces attention with sinks."""
    if target.device_type == "cpu" or not target.has_attention:
        return
    for node in module.graph.find_nodes(
        op="call_function", target=aten.cat.default
    ):
        found = _find(node)
        if found is not None:
            _replace(module.graph, *found)
    module.graph.eliminate_dead_code()
    module.recompile()


def _find(
    node: fx.Node,
) -> Optional[tuple[fx.Node, list[fx.Node], list[fx.Node]]]:
    """If `node` concatenates scores and sinks, returns it with the path to it
    from the GEMM of queries and keys, and the paths from the weights to the
    GEMMs with the values. Otherwise returns None."""
    tensors, *rest = node.args
    value = node.meta["val"]
    assert isinstance(tensors, (list, tuple))
    if (
        len(tensors) != 2
        or rest not in ([-1], [value.dim() - 1])
        or tensors[1].meta["val"].shape[-1] != 1
        or any(one.meta["val"].dtype not in _TYPES for one in tensors)
    ):
        return None
    before = _path_from_product(tensors[0])
    behind = _paths_to_products(node)
    return (node, before, behind) if before and behind else None


def _path_from_product(scores: fx.Node) -> list[fx.Node]:
    """Returns the nodes from the GEMM of queries and keys to `scores`, all of
    which keep the rows. The list is empty if these nodes do more than scale,
    reshape, cast and add a mask, or if there are few rows."""
    path = [scores]
    while support.packet(path[0]) is not aten.bmm:
        source = path[0].all_input_nodes[0] if _is_linear(path[0]) else None
        if source is None or len(source.users) != 1:
            return []
        path.insert(0, source)
    rows = path[0].meta["val"].shape[-2]
    return path if rows >= _FEWEST_QUERIES else []


def _is_linear(node: fx.Node) -> bool:
    if node.op != "call_function" or not node.all_input_nodes:
        return False
    target, shape = support.packet(node), node.meta["val"].shape
    source = node.all_input_nodes[0].meta["val"]
    if target in (aten.mul, aten.div):
        return isinstance(node.args[1], (int, float)) and (
            len(node.args) == 2 and not node.kwargs
        )
    if target is aten.add:
        return (
            _extent(node.args[1]) == shape[-1] == source.shape[-1]
            and node.args[0] is node.all_input_nodes[0]
            and not node.kwargs
        )
    return target in _CASTS | _SHAPES and source.shape[-1:] == shape[-1:]


def _extent(operand: Any) -> Optional[int]:
    """Returns the extent of the last axis of a node."""
    shape = operand.meta["val"].shape if isinstance(operand, fx.Node) else ()
    return shape[-1] if shape else None


def _paths_to_products(node: fx.Node) -> list[fx.Node]:
    """Returns the nodes from each slice that cuts off the last column of values
    computed from `node`, to the GEMMs that use the slice. The list is empty if
    `node` is used for anything else."""
    columns = node.meta["val"].shape[-1]
    found: dict[fx.Node, None] = {}
    seen = {node}
    pending = list(node.users)
    while pending:
        user = pending.pop()
        if user in seen:
            continue
        seen.add(user)
        if _drops_last(user, columns):
            path = _path_to_product(user)
            if not path:
                return []
            found.update(dict.fromkeys(path))
        elif (
            user.op == "output"
            or support.is_product(user)
            or (_extent(user) not in (columns, 1))
        ):
            return []
        else:
            pending += user.users
    return list(found)


def _drops_last(node: fx.Node, columns: int) -> bool:
    if support.packet(node) is not aten.slice:
        return False
    source, dim, start, end, *step = node.args
    assert isinstance(source, fx.Node) and isinstance(dim, int)
    value = source.meta["val"]
    return (
        value.shape[-1] == columns
        and dim % value.dim() == value.dim() - 1
        and start in (0, None)
        and step in ([], [1])
        and node.meta["val"].shape[-1] == columns - 1
    )


def _path_to_product(node: fx.Node) -> list[fx.Node]:
    """Returns the nodes from `node` to the GEMM that has `node` as its operand
    A; an empty list if there are other users or operators between."""
    path = [node]
    while support.packet(path[-1]) is not aten.bmm:
        users = list(path[-1].users)
        if len(users) != 1 or not (
            support.packet(users[0]) is aten.bmm
            and users[0].args[0] is path[-1]
            and users[0].args[1] is not path[-1]
            or support.packet(users[0]) in _CASTS | _SHAPES
            and _extent(users[0]) == _extent(path[-1])
        ):
            return []
        path.append(users[0])
    return path


def _replace(
    graph: fx.Graph, node: fx.Node, before: list[fx.Node], behind: list[fx.Node]
) -> None:
    columns = node.meta["val"].shape[-1]
    with graph.inserting_before(node):
        longer = _with_another_key(graph, before)
        result = call(
            graph,
            node,
            aten.add.Tensor,
            longer,
            _added(graph, node.args[0][1], columns - 1),
        )
    node.replace_all_uses_with(result)
    for user in list(result.users):
        if _is_shifted(user) and _is_only_in_softmax(user):
            user.replace_all_uses_with(result)
    _use_another_value(graph, behind)


def _is_shifted(node: fx.Node) -> bool:
    """Whether a node subtracts from a tensor the largest element of each
    row."""
    if support.packet(node) is not aten.sub or node.kwargs:
        return False
    source, largest = node.args
    return (
        isinstance(source, fx.Node)
        and isinstance(largest, fx.Node)
        and support.packet(largest) is aten.amax
        and largest.args[0] is source
        and len(largest.args) == 3
        and largest.args[1] in ([-1], [source.meta["val"].dim() - 1])
        and largest.args[2] is True
    )


def _is_only_in_softmax(node: fx.Node) -> bool:
    """Whether the only use of a node is a softmax that subtracts the largest
    element of each row again. Then the node need not subtract it, too."""
    users = list(node.users)
    if len(users) == 1 and support.packet(users[0]) in _CASTS:
        return _is_only_in_softmax(users[0])
    return len(users) == 2 and any(
        _is_shifted(user) and set(users) == {user, user.args[1]}
        for user in users
    )


def _added(graph: fx.Graph, sink: fx.Node, columns: int) -> fx.Node:
    """Returns a tensor to add to rows of scores: the sink for the last column,
    and 0 for the columns of the keys."""
    source = sink.args[0] if support.packet(sink) is aten.expand else sink
    if _extent(source) != 1:
        source = sink
    return call(
        graph, sink, aten.constant_pad_nd.default, source, [columns, 0], 0.0
    )


def _with_another_key(graph: fx.Graph, path: list[fx.Node]) -> fx.Node:
    """Returns the scores with one more key."""
    product, *rest = path
    query, key = product.args
    assert isinstance(key, fx.Node)
    longer = call(
        graph, product, aten.bmm.default, query, _longer(graph, product, key, 2)
    )
    for node in rest:
        args = list(node.args)
        args[0] = longer
        if support.packet(node) is aten.add:
            mask = args[1]
            args[1] = _longer(graph, node, mask, mask.meta["val"].dim() - 1)
        elif support.packet(node) in _SHAPES:
            args[1] = _changed(args[1], -1, longer.meta["val"].shape[-1])
        longer = call(graph, node, node.target, *args, **node.kwargs)
    return longer


def _use_another_value(graph: fx.Graph, nodes: list[fx.Node]) -> None:
    """Keeps the last column of the weights in `nodes`, and adds a row of zeros
    to the values that are multiplied by the weights."""
    for node in nodes:
        if support.packet(node) is aten.slice:
            new = node.args[0]
            assert isinstance(new, fx.Node)
            node.replace_all_uses_with(new)
            continue
        with graph.inserting_before(node):
            args = list(node.args)
            if support.packet(node) is aten.bmm:
                args[1] = _longer(graph, node, args[1], 1)
            elif support.packet(node) in _SHAPES:
                args[1] = _changed(args[1], -1, _extent(args[0]))
            new = call(graph, node, node.target, *args, **node.kwargs)
        node.replace_all_uses_with(new)


def _longer(
    graph: fx.Graph, near: fx.Node, node: fx.Node, axis: int
) -> fx.Node:
    """Returns `node` with one more zero along an axis. The zeros are added
    before operators that repeat or reorder elements, so that few elements are
    copied."""
    make = _MOVED.get(support.packet(node))
    moved = make(node, axis) if make else None
    if moved is None:
        pads = [0, 0] * (node.meta["val"].dim() - 1 - axis) + [0, 1]
        return call(graph, near, aten.constant_pad_nd.default, node, pads, 0.0)
    source = node.args[0]
    assert isinstance(source, fx.Node)
    args, axis_of_source = moved
    return call(
        graph,
        near,
        node.target,
        _longer(graph, near, source, axis_of_source),
        *args,
        **node.kwargs,
    )


Moved = Optional[tuple[list[Any], int]]
"""For an operator whose result is to have one more element along an axis: its
new arguments without the first, and the number of that axis in its operand."""


def _permuted(node: fx.Node, axis: int) -> Moved:
    return [node.args[1]], node.args[1][axis] % node.meta["val"].dim()


def _copied(node: fx.Node, axis: int) -> Moved:
    return [], axis


def _unsqueezed(node: fx.Node, axis: int) -> Moved:
    rank, dim = node.meta["val"].dim(), node.args[1]
    assert isinstance(dim, int)
    if axis == dim % rank:
        return None
    return [dim], axis - (axis > dim % rank)


def _expanded(node: fx.Node, axis: int) -> Moved:
    shape, given = node.meta["val"].shape, node.args[0].meta["val"].shape
    of_source = axis - len(shape) + len(given)
    if of_source < 0 or given[of_source] != shape[axis]:
        return None
    return [_changed(list(shape), axis, shape[axis] + 1)], of_source


def _viewed(node: fx.Node, axis: int) -> Moved:
    """Returns None if the view splits or merges the axis."""
    shape, given = node.meta["val"].shape, node.args[0].meta["val"].shape
    for of_source, extent in enumerate(given):
        if extent == shape[axis] and (
            shape[axis + 1 :].numel() == given[of_source + 1 :].numel()
        ):
            return [_changed(list(shape), axis, extent + 1)], of_source
    return None


_MOVED: dict[Any, Callable[[fx.Node, int], Moved]] = {
    aten.permute: _permuted,
    aten.clone: _copied,
    aten.expand: _expanded,
    aten.unsqueeze: _unsqueezed,
    aten.view: _viewed,
    aten._unsafe_view: _viewed,
}


def _changed(shape: Any, axis: int, extent: Any) -> list[Any]:
    changed = list(shape)
    changed[axis] = extent
    return changed


REWRITE = Rewrite(
    apply=lambda module, context: expand(module, context.target),
    after=("attention",),
)
