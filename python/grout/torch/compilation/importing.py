"""Lowers graphs of ATen operators to MLIR, by torch-mlir."""

import re
from typing import Any

from torch import fx

from ...errors import Diagnostic
from ..decompositions import signs
from ..errors import ImportFailed
from ..rewrites import grouping, joining, roundings, scattering

_FILE = "grout-node"


def is_available() -> bool:
    try:
        import torch_mlir.fx  # noqa: F401
    except ImportError:
        return False
    return True


def _numbered(module: fx.GraphModule) -> fx.GraphModule:
    """Returns a copy whose nodes give their number in the graph as their place
    in the source. The importer makes locations from these places."""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for i, node in enumerate(module.graph.nodes):
        copies[node] = graph.node_copy(node, copies.__getitem__)
        copies[node].meta = {**node.meta}
        copies[node].stack_trace = f'File "{_FILE}", line {i + 1}, in graph'
    return fx.GraphModule(module, graph)


_PASSES = (
    "builtin.module(torchdynamo-export-to-torch-backend-pipeline{"
    "extra-library=},torch-backend-to-linalg-on-tensors-backend-pipeline{"
    "allow-non-finites=true})"
)


def import_graph(module: fx.GraphModule) -> str:
    """Returns a graph without state as `linalg` on tensors: the text of a
    module with a function `main`. Raises ImportFailed."""
    module, scatters = scattering.cut(module)
    module, sign_bits = signs.cut(module)
    module, products = grouping.cut(module)
    module, exchanges = joining.cut(module)
    from torch_mlir import ir
    from torch_mlir.dialects import torch as dialect
    from torch_mlir.extras.fx_importer import FxImporter
    from torch_mlir.passmanager import PassManager

    # The importer's own entry points are not used: they print, and write a file
    # of a fixed name.
    context = ir.Context()
    dialect.register_dialect(context)
    found: list[Diagnostic] = []

    def listen(diagnostic: Any) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            found.append(
                Diagnostic(
                    "error",
                    "",
                    diagnostic.message.partition(":")[0],
                    "",
                    0,
                    0,
                    str(diagnostic.location),
                )
            )
        return True

    context.attach_diagnostic_handler(listen)
    try:
        importer = FxImporter(context=context)
        numbered = _numbered(module)
        importer.import_stateless_graph(numbered.graph, func_name="main")
        PassManager.parse(_PASSES, context).run(importer.module.operation)
        _mark_roundings(importer.module, numbered)
        joining.join(importer.module, exchanges)
        grouping.join(importer.module, products)
        signs.join(importer.module, sign_bits)
        scattering.join(importer.module, scatters)
        text: str = importer.module.operation.get_asm(enable_debug_info=True)
    except Exception as error:  # an importer may raise anything
        raise ImportFailed(_sentence(str(error)), found) from error
    return text


def _mark_roundings(program: Any, module: fx.GraphModule) -> None:
    """Copies the marks of roundings.mark from nodes to casts. A cast that is
    kept gets a rounding mode; a cast that is optional gets the flag
    `contract`."""
    marks = {
        i + 1: node.meta[roundings.MARK]
        for i, node in enumerate(module.graph.nodes)
        if roundings.MARK in node.meta
    }
    if not marks:
        return
    from torch_mlir import ir

    with program.context:
        contract = ir.Attribute.parse("#arith.fastmath<contract>")
        to_nearest_even = ir.Attribute.parse("0 : i32")

    def visit(op: Any) -> Any:
        if op.name == "arith.extf":
            op.attributes["fastmath"] = contract
        elif op.name == "arith.truncf":
            found = {
                marks.get(int(line))
                for line in _PLACE.findall(str(op.location))
            }
            if roundings.KEPT in found:
                op.attributes["roundingmode"] = to_nearest_even
            elif found == {roundings.OPTIONAL}:
                op.attributes["fastmath"] = contract
        return ir.WalkResult.ADVANCE

    program.operation.walk(visit)


def _sentence(message: str) -> str:
    """Returns the first sentence of an importer about an operator, without the
    op itself."""
    operator = re.search(r'name = "torch\.(aten\.[\w.]+)"', message)
    if operator:
        return f"torch-mlir does not lower {operator[1]}"
    error = re.search(r'error: (?:"[^"]*":\d+:\d+: )?(.*)', message)
    return (
        error[1].partition(": %")[0] if error else (message.partition("\n")[0])
    )


_PLACE = re.compile(rf'"{_FILE}":(\d+):')


def nodes_at(module: fx.GraphModule, location: str) -> list[fx.Node]:
    """Returns the nodes that are named in the location of an op or of a
    diagnostic."""
    nodes = list(module.graph.nodes)
    named: dict[fx.Node, Any] = {}
    for line in _PLACE.findall(location):
        if 1 <= int(line) <= len(nodes):
            named[nodes[int(line) - 1]] = None
    return [node for node in named if node.op == "call_function"]
