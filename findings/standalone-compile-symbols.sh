#!/bin/bash
# In PyTorch 2.11, torch._inductor.standalone_compile(graph, inputs,
# dynamic_shapes="from_graph") does not find the symbols of a graph that
# AOTAutograd made. It takes its fake mode from the results of the graph, and
# looks for these under "example_value", where Dynamo states them; AOTAutograd
# states them under "val". So it makes a shape environment that knows none, and
# a graph in which an extent is also an argument ends in an AssertionError. With
# "example_value" added to the results the same graph compiles.
#
# Seen with PyTorch 2.11.0 on x86-64: "vr must not be None for symbol s24".
# PyTorch 2.15.0 looks under both names, and compiles the graph.
#
# Exits with 1 if that changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.11.0 numpy==2.3.5

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import torch
from torch._dynamo.backends.common import aot_autograd

graphs = []


def keep(graph, inputs):
    graphs.append(graph)
    return graph.forward


def repeat(rows, count):
    return rows[:, None].expand(2, 3, count) * 2


with torch.no_grad():
    torch.compile(repeat, backend=aot_autograd(fw_compiler=keep),
                  dynamic=True)(torch.randn(2, 5), 5)
(graph,) = graphs
inputs = [node.meta["val"]
          for node in graph.graph.find_nodes(op="placeholder")]


def problem():
    try:
        torch._inductor.standalone_compile(graph, inputs,
                                           dynamic_shapes="from_graph")
    except AssertionError as error:
        return str(error).splitlines()[0]
    return ""


print("PyTorch", torch.__version__)
before = problem()
(output,) = graph.graph.find_nodes(op="output")
for node in output.all_input_nodes:
    node.meta["example_value"] = node.meta["val"]
after = problem()
print("results under val:", before or "compiled")
print("results under example_value, too:", after or "compiled")
sys.exit(0 if "vr must not be None" in before and not after else 1)
PROGRAM
