"""What importers and compilers should not have to know."""

import torch
from torch import fx

from . import support

aten = torch.ops.aten


def simplify(module: fx.GraphModule) -> None:
    """Removes what adds nothing: empty operands of concatenations (a cache that
    is empty at first), and what is then not used. Gives each user of a view one
    of its own, which can be where the user is."""
    for node in module.graph.nodes:
        if node.op == "call_function" and support.packet(node) is aten.cat:
            _drop_empty(node)
    module.graph.eliminate_dead_code()
    for node in reversed(module.graph.nodes):
        if support.is_private_view(node):
            _give_each_user_its_own(module.graph, node)
    module.recompile()


def _give_each_user_its_own(graph: fx.Graph, view: fx.Node) -> None:
    for user in list(view.users)[1:]:
        with graph.inserting_before(user):
            copy = graph.node_copy(view)
        user.replace_input_with(view, copy)


def _drop_empty(node: fx.Node) -> None:
    tensors, *rest = node.args
    assert isinstance(tensors, (list, tuple))
    kept = [tensor for tensor in tensors if not _is_empty(tensor)]
    if 0 < len(kept) < len(tensors):
        node.args = (kept, *rest)


def _is_empty(operand: object) -> bool:
    value = operand.meta.get("val") if isinstance(operand, fx.Node) else None
    return (isinstance(value, torch.Tensor)
            and any(isinstance(extent, int) and extent == 0
                    for extent in value.shape))
