"""Functions that PyTorch breaks up before a backend sees their operators."""

import torch
from torch import fx

_one_hot = torch.nn.functional.one_hot


def make_as_eager(module: fx.GraphModule) -> None:
    """Of Dynamo's graph. Eager fills a new tensor with the results of one_hot;
    what a graph compares instead has the strides of the places."""
    for part in module.modules():
        if isinstance(part, fx.GraphModule):
            for node in part.graph.find_nodes(op="call_function",
                                              target=_one_hot):
                _make_contiguous(part.graph, node)
            part.recompile()


def _make_contiguous(graph: fx.Graph, node: fx.Node) -> None:
    with graph.inserting_after(node):
        copy = graph.call_method("contiguous", (node,))
    copy.meta = {**node.meta,
                 "example_value": node.meta["example_value"].contiguous()}
    node.replace_all_uses_with(
        copy, delete_user_cb=lambda user: user is not copy)
