"""Cuts a graph into segments that run one after another, each by Grout or by
the fallback."""

import dataclasses
from typing import Any, Callable, Hashable, Optional, Sequence

import torch
from torch import fx

from ..graph import support
from ..graph.nodes import UNIT
from ..rewrites import constants


@dataclasses.dataclass
class Segment:
    """Nodes of a graph, in an order in which they can run."""

    is_grout: bool
    nodes: list[fx.Node]
    copied: frozenset[fx.Node] = frozenset()
    """Those of the nodes that are constants, of which each segment has a
    copy."""


def _is_computed(node: fx.Node) -> bool:
    return node.op in ("call_function", "call_method", "call_module")


def cut(
    graph: fx.Graph,
    runs_in_grout: Callable[[fx.Node], bool],
    layer: Callable[[fx.Node], Hashable],
) -> list[Segment]:
    """Cuts a graph into segments, which alternate between Grout and the
    fallback.

    A segment has all operators of its kind whose operands are there, so that
    there are as few changes as the longest path of the graph needs. No segment
    needs a later one.

    - Segments of Grout are cut where `layer` changes.
    - Views, each of which has one user, are in the segment of their user. Views
      that are results of the graph come last.
    - Constants of Grout are in each segment that uses them.
    - The nodes that UNIT marks as one unit are in one segment, where that is
      possible.
    - A node that only later segments of Grout use, such as a computation on the
      weights of a normalisation, is in the first of these segments.
    """
    index = {node: i for i, node in enumerate(graph.nodes)}

    def is_constant(node: fx.Node) -> bool:
        return support.is_constant(node) and runs_in_grout(node)

    def is_looked_through(node: fx.Node) -> bool:
        return is_constant(node) or (
            support.is_private_view(node) and runs_in_grout(node)
        )

    views: dict[fx.Node, list[fx.Node]] = {}
    seen_by: dict[fx.Node, fx.Node] = {}
    users: dict[fx.Node, list[fx.Node]] = {}
    waiting: dict[fx.Node, int] = {}
    for node in filter(_is_computed, graph.nodes):
        if not is_looked_through(node):
            seen, sources = _look_through(node, is_looked_through)
            views[node] = [view for view in seen if not is_constant(view)]
            seen_by.update(dict.fromkeys(views[node], node))
            waiting[node] = sum(map(_is_computed, sources))
            for source in sources:
                users.setdefault(source, []).append(node)

    _delay_updates(users, waiting)
    _delay_units(users, waiting)
    ready: dict[bool, list[fx.Node]] = {True: [], False: []}
    for node, operands in waiting.items():
        if operands == 0:
            ready[runs_in_grout(node)].append(node)
    # For each segment: whether it is Grout's, and its nodes.
    cuts: list[tuple[bool, list[fx.Node]]] = []
    # The kind of the node that comes first in the graph begins.
    kind = bool(ready[True]) and (
        not ready[False] or index[ready[True][0]] < index[ready[False][0]]
    )
    while ready[True] or ready[False]:
        nodes: list[fx.Node] = []
        while ready[kind]:
            node = ready[kind].pop()
            nodes.append(node)
            for user in users.get(node, ()):
                waiting[user] -= 1
                if waiting[user] == 0:
                    ready[runs_in_grout(user)].append(user)
        cuts.append((kind, nodes))
        kind = not kind
    _delay(cuts, users, index)
    segments: list[Segment] = []
    for kind, computed in cuts:
        nodes = [node for last in computed for node in (*views[last], last)]
        nodes.sort(
            key=lambda node: (index[seen_by.get(node, node)], index[node])
        )
        if nodes:
            segments += (
                [
                    Segment(True, part)
                    for part in _by_layer(
                        nodes, lambda node: layer(seen_by.get(node, node))
                    )
                ]
                if kind
                else [Segment(False, nodes)]
            )
    filled = [
        node for node in graph.nodes if _is_result(node) and is_constant(node)
    ]
    if filled:
        _place(filled, segments)
    placed = {node for segment in segments for node in segment.nodes}
    rest = [
        node
        for node in graph.nodes
        if _is_computed(node) and node not in placed and not is_constant(node)
    ]
    parts = _advance_views([*segments, Segment(False, rest)])
    for part in parts:
        _copy_constants(part, is_constant)
    return parts


def _delay(
    cuts: list[tuple[bool, list[fx.Node]]],
    users: dict[fx.Node, list[fx.Node]],
    index: dict[fx.Node, int],
) -> None:
    """Moves nodes that only later segments of Grout use to the first of these,
    except nodes of a unit. Nothing moves to or past an update, because that may
    update a tensor that the node reads."""
    places = {
        node: number for number, (_, nodes) in enumerate(cuts) for node in nodes
    }
    updates = [
        number for node, number in places.items() if support.is_update(node)
    ]
    for node in sorted(places, key=lambda node: -index[node]):
        number = places[node]
        later = min(
            (places[user] for user in users.get(node, ())), default=number
        )
        if (
            later > number
            and cuts[number][0]
            and cuts[later][0]
            and UNIT not in node.meta
            and not any(number <= update <= later for update in updates)
        ):
            cuts[number][1].remove(node)
            cuts[later][1].append(node)
            places[node] = later


def _place(filled: list[fx.Node], segments: list[Segment]) -> None:
    """Puts constants into Grout's last segment, or into a new one if there is
    none."""
    last = next(
        (segment for segment in reversed(segments) if segment.is_grout), None
    )
    if last is None:
        last = Segment(True, [])
        segments.append(last)
    last.nodes = [*filled, *last.nodes]


def _is_result(node: fx.Node) -> bool:
    return any(user.op == "output" for user in node.users)


def _copy_constants(
    part: Segment, is_constant: Callable[[fx.Node], bool]
) -> None:
    inside = set(part.nodes)
    used = dict.fromkeys(
        operand
        for node in part.nodes
        for operand in node.all_input_nodes
        if operand not in inside and is_constant(operand)
    )
    part.copied = frozenset(used)
    part.nodes = [*used, *part.nodes]


def _delay_units(
    users: dict[fx.Node, list[fx.Node]], waiting: dict[fx.Node, int]
) -> None:
    """Makes each node of a unit wait for all operands of the unit."""
    units: dict[Hashable, list[fx.Node]] = {}
    for node in waiting:
        if (unit := node.meta.get(UNIT)) is not None:
            units.setdefault(unit, []).append(node)
    for unit in units.values():
        after = _find_users(unit)
        inside = set(unit)
        for source, of_source in users.items():
            if (
                _is_computed(source)
                and source not in inside
                and source not in after
                and not inside.isdisjoint(of_source)
            ):
                added = inside.difference(of_source)
                of_source += [node for node in unit if node in added]
                for node in added:
                    waiting[node] += 1


def _find_users(nodes: list[fx.Node]) -> set[fx.Node]:
    """Returns all nodes that depend on one of `nodes`."""
    found: set[fx.Node] = set()
    pending = list(nodes)
    while pending:
        new = [user for user in pending.pop().users if user not in found]
        found.update(new)
        pending += new
    return found


def _delay_updates(
    users: dict[fx.Node, list[fx.Node]], waiting: dict[fx.Node, int]
) -> None:
    """Makes updates wait for all nodes that read the old values."""
    for node in waiting:
        if support.is_update(node):
            target, value = node.args[:2]
            for reader in users[target]:
                if reader is not node and reader is not value:
                    users.setdefault(reader, []).append(node)
                    waiting[node] += 1


def _look_through(
    node: fx.Node, is_looked_through: Callable[[fx.Node], bool]
) -> tuple[list[fx.Node], set[fx.Node]]:
    """Returns the views through which a node looks, and the nodes that it
    sees."""
    views: list[fx.Node] = []
    sources: set[fx.Node] = set()
    operands = list(node.all_input_nodes)
    while operands:
        operand = operands.pop()
        if is_looked_through(operand):
            views.append(operand)
            operands += operand.all_input_nodes
        else:
            sources.add(operand)
    return views, sources


def _advance_views(parts: list[Segment]) -> list[Segment]:
    """Moves views of tensors that are not dense out of the beginnings of
    Grout's segments, which would have to copy these tensors."""
    moved: list[Segment] = []
    for part in parts:
        views = _leading_views(part.nodes) if part.is_grout else []
        if views and moved and not moved[-1].is_grout:
            moved[-1].nodes += views
        elif views:
            moved.append(Segment(False, views))
        part.nodes = [node for node in part.nodes if node not in views]
        moved.append(part)
    return [part for part in moved if part.nodes]


def _leading_views(nodes: list[fx.Node]) -> list[fx.Node]:
    """Returns the views among `nodes` of tensors that are made before, and are
    neither dense nor overlapping: for example, views of a transposed tensor,
    but not of a repeated row."""
    inside = set(nodes)
    found: list[fx.Node] = []
    for node in nodes:
        source = node.args[0] if support.is_private_view(node) else None
        if (
            isinstance(source, fx.Node)
            and source not in inside
            and _is_strided(source.meta.get("val"))
        ):
            inside.remove(node)
            found.append(node)
    return found


def _is_strided(value: Any) -> bool:
    """Whether a tensor is not row-major, and none of its elements is
    repeated."""
    return (
        isinstance(value, torch.Tensor)
        and not value.is_contiguous()
        and 0 not in value.stride()
    )


def _by_layer(
    nodes: list[fx.Node], layer: Callable[[fx.Node], Hashable]
) -> list[list[fx.Node]]:
    """Splits `nodes` where a layer ends. Convolutions in branches of one
    module, which do not depend on each other, stay together: a part with
    convolutions ends only where the next layer uses all of their results that
    later nodes use."""
    keys = [layer(node) for node in nodes]
    parts: list[list[fx.Node]] = []
    convolved: set[fx.Node] = set()
    last: Optional[Hashable] = None
    for position, (node, key) in enumerate(zip(nodes, keys)):
        is_new = key is not None and last is not None and key != last
        if not parts or (
            is_new
            and not _has_branches(convolved, nodes[position:], keys[position:])
        ):
            parts.append([])
            convolved = set()
        parts[-1].append(node)
        if support.packet(
            node
        ) is torch.ops.aten.convolution or not convolved.isdisjoint(
            node.all_input_nodes
        ):
            convolved.add(node)
        last = key if key is not None else last
    return parts


def _has_branches(
    made: set[fx.Node], rest: list[fx.Node], keys: Sequence[Optional[Hashable]]
) -> bool:
    """Whether nodes of `rest` use any of `made` that the first layer of `rest`
    does not use."""
    if not made:
        return False
    following = {node for node, key in zip(rest, keys) if key == keys[0]}
    later = set(rest)
    return any(
        following.isdisjoint(node.users) and not later.isdisjoint(node.users)
        for node in made
    )


@dataclasses.dataclass
class Extracted:
    """A segment as a module, with the nodes that it reads and the nodes that it
    returns."""

    module: fx.GraphModule
    inputs: list[fx.Node]
    outputs: list[fx.Node]


def extract(owner: fx.GraphModule, segment: Segment) -> Extracted:
    """Copies a segment to a module of its own. The copies keep the names and
    the metadata of the nodes."""
    inside = set(segment.nodes)
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    inputs: list[fx.Node] = []
    for node in segment.nodes:
        for operand in node.all_input_nodes:
            if operand in inside or operand in copies:
                continue
            if _is_module(owner, operand):
                copies[operand] = graph.node_copy(operand)
            else:
                copies[operand] = graph.placeholder(operand.name)
                copies[operand].meta = dict(operand.meta)
                inputs.append(operand)
    for node in segment.nodes:
        copies[node] = graph.node_copy(node, copies.__getitem__)
    outputs = [
        node
        for node in segment.nodes
        if any(user not in inside for user in node.users)
        and node not in segment.copied
    ]
    graph.output(tuple(copies[node] for node in outputs))
    return Extracted(fx.GraphModule(owner, graph), inputs, outputs)


def _is_module(owner: fx.GraphModule, node: fx.Node) -> bool:
    """Whether a node gets a module that a higher-order operator calls."""
    return node.op == "get_attr" and isinstance(
        constants.attribute(owner, node), torch.nn.Module
    )


def assemble(
    owner: fx.GraphModule,
    segments: list[Extracted],
    functions: list[Callable[..., Any]],
) -> fx.GraphModule:
    """Returns the graph as calls of one function for each segment. A function
    takes the segment's inputs, and returns a sequence of its outputs."""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for node in owner.graph.nodes:
        if not _is_computed(node) and node.op != "output":
            copies[node] = graph.node_copy(node, copies.__getitem__)
    values = {node.name: copy for node, copy in copies.items()}
    attributes: dict[str, Any] = {}
    for i, (segment, function) in enumerate(zip(segments, functions)):
        name = f"segment_{i}"
        attributes[name] = Call(function)
        call(
            graph,
            name,
            [node.name for node in segment.inputs],
            [node.name for node in segment.outputs],
            values,
        )
        for node in segment.outputs:
            copies[node] = values[node.name]
    output = next(node for node in owner.graph.nodes if node.op == "output")
    graph.node_copy(output, copies.__getitem__)
    result = fx.GraphModule(
        {**dict(owner.named_modules()), **_attributes(owner), **attributes},
        graph,
    )
    return result


def call(
    graph: fx.Graph,
    name: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    values: dict[str, fx.Node],
) -> None:
    """Adds a call of the submodule `name`, which takes `inputs` and returns a
    sequence of `outputs`. `values` maps names to nodes; it has the inputs, and
    gets the outputs."""
    node = graph.call_module(name, tuple(values[one] for one in inputs))
    for position, one in enumerate(outputs):
        values[one] = graph.call_function(_getitem, (node, position))


def _getitem(values: Any, position: int) -> Any:
    return values[position]


def _attributes(owner: fx.GraphModule) -> dict[str, Any]:
    return {
        node.target: constants.attribute(owner, node)
        for node in owner.graph.find_nodes(op="get_attr")
    }


class Call(torch.nn.Module):
    """A function as a module, which a graph can call by name."""

    def __init__(self, function: Callable[..., Any]):
        super().__init__()
        self.forward = function
