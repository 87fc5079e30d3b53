"""What is measured: named operators, and rows of AKG's table. A case has

name, group, ir, bytes      bytes: of arguments and results, once
function(torch)             what PyTorch would do, of its tensors
zeros(torch)                arguments that any function can take
choose(torch, seed)         random arguments, and the right results; or None
results(torch)              tensors for results
problem(torch, got, want)   what is wrong with results, or ""
"""

import math
import random

from operators import emit, on_torch, rebuild, stored

from memory_bound.operators import all_operators

NAMED = "named"
TABLE = "table"

# Largest error, relative to the largest element, by the type of results.
_TOLERANCES = {"f16": 2e-3, "f32": 1e-5}
_DTYPES = {"f16": "float16", "f32": "float32"}
_SIZES = {
    "float32": 4,
    "float16": 2,
    "int32": 4,
    "uint32": 4,
    "bool": 1,
    "complex64": 8,
}


class Named:
    """An operator of operators.py."""

    group = NAMED

    def __init__(self, operator):
        self._operator = operator
        self.name = operator.name
        self.ir = operator.ir
        self.bytes = operator.bytes
        self.function = operator.torch

    def describe(self):
        return {}

    def zeros(self, torch):
        return [
            torch.zeros(
                shape, dtype=getattr(torch, _DTYPES[dtype]), device="cuda"
            )
            for shape, dtype in self._operator.arguments
        ]

    def choose(self, torch, seed):
        draw = torch.rand if self._operator.positive else torch.randn
        generator = torch.Generator("cuda")
        generator.manual_seed(seed)
        inputs = [
            draw(shape, generator=generator, device="cuda").to(
                getattr(torch, _DTYPES[dtype])
            )
            for shape, dtype in self._operator.arguments
        ]
        want = self.function(torch)(*[value.double() for value in inputs])
        return inputs, list(want) if isinstance(want, tuple) else [want]

    def results(self, torch):
        return [
            torch.empty(
                shape, dtype=getattr(torch, _DTYPES[dtype]), device="cuda"
            )
            for shape, dtype in self._operator.results
        ]

    def problem(self, torch, got, want):
        error = max(
            ((value.double() - right).abs().max() / right.abs().max()).item()
            for value, right in zip(got, want)
        )
        allowed = _TOLERANCES[self._operator.results[0][1]]
        return (
            ""
            if error <= allowed
            # And not if it is NaN.
            else f"off by {error:.2g}, more than {allowed:.2g}"
        )


class Row:
    """A row of AKG's table, by its graph."""

    group = TABLE

    def __init__(self, graph):
        self._graph = graph
        self.name = graph.name
        self.bytes = sum(
            math.prod(tensor.shape) * _SIZES[tensor.dtype]
            for tensor in (*graph.inputs, *map(graph.type, graph.results))
        )

    @property
    def ir(self):
        return emit.function(self._graph)

    def describe(self):
        return {"graph": stored.to_json(self._graph)}

    def function(self, torch):
        def run(*inputs):
            return tuple(
                on_torch.evaluate(
                    torch,
                    self._graph,
                    inputs,
                    on_torch.Precision.NATIVE,
                    "cuda",
                )
            )

        return run

    def zeros(self, torch):
        return [
            torch.zeros(
                tensor.shape,
                device="cuda",
                dtype=on_torch.dtype(torch, tensor.dtype),
            )
            for tensor in self._graph.inputs
        ]

    def choose(self, torch, seed):
        """The seed is the graph's own, as `akg.py gpu` has it."""
        from operators import torch_inputs

        return torch_inputs.choose(torch, self._graph, "cuda")

    def results(self, torch):
        from operators import torch_inputs

        return torch_inputs.results(torch, self._graph, "cuda")

    def problem(self, torch, got, want):
        from operators import torch_inputs

        return "; ".join(
            torch_inputs.differences(torch, self._graph, got, want)
        )


def named():
    return [Named(operator) for operator in all_operators()]


def draw(rows, count, seed):
    """Rows of the table that have a graph: the first `count` of a random order,
    which only the seed and the table decide."""
    order = list(rows)
    random.Random(seed).shuffle(order)
    found = []
    for row in order:
        if len(found) == count:
            break
        try:
            found.append(Row(rebuild.rebuild(row)))
        except rebuild.CannotRebuild:
            continue
    return found


def from_description(name, group, description):
    """The case that has this describe()."""
    if group == TABLE:
        return Row(stored.from_json(description["graph"]))
    (operator,) = [
        operator for operator in all_operators() if operator.name == name
    ]
    return Named(operator)
