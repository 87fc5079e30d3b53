"""Graphs as JSON, so that where they run nothing has to search for them."""

from operators.graph import Constant, Graph, Node, Store
from operators.table import Tensor


def to_json(graph):
    return {
        "name": graph.name,
        "inputs": list(map(_from_tensor, graph.inputs)),
        "nodes": [
            [
                node.op,
                [
                    {"constant": operand.value}
                    if isinstance(operand, Constant)
                    else operand
                    for operand in node.operands
                ],
                _from_tensor(node.type),
                node.attributes,
            ]
            for node in graph.nodes
        ],
        "stores": [[store.target, store.value] for store in graph.stores],
        "outputs": list(graph.outputs),
    }


def from_json(content):
    return Graph(
        content["name"],
        tuple(map(_to_tensor, content["inputs"])),
        tuple(
            Node(
                op,
                tuple(
                    Constant(operand["constant"])
                    if isinstance(operand, dict)
                    else operand
                    for operand in operands
                ),
                _to_tensor(type_),
                {key: tuple(value) for key, value in attributes.items()},
            )
            for op, operands, type_, attributes in content["nodes"]
        ),
        tuple(Store(*store) for store in content["stores"]),
        tuple(content["outputs"]),
    )


def _from_tensor(tensor):
    return [tensor.dtype, list(tensor.shape)]


def _to_tensor(content):
    return Tensor(content[0], tuple(content[1]))
