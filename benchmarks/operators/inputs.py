"""Random inputs for which a graph's results do not hang on roundings."""

import zlib

import numpy as np

from operators import comparison, reference, semantics

# Positive, as Sqrt, Log, Rsqrt, Pow and RealDiv want it.
_RANGES = (
    (0.5, 1.5),
    (0.75, 1.25),
    (0.25, 0.75),
    (1.0, 2.0),
    (0.01, 0.1),
    (0.001, 0.01),
    (2.0, 8.0),
    (-1.0, -0.25),
)
_TRIES = 60
# The part of the tolerance that roundings may take.
CONDITIONED = 0.5


def choose(graph):
    """(inputs, expected results) of the first attempt that is well conditioned:
    with and without rounding after each operator the results agree to half of
    the tolerance. None if there is none."""
    generator = np.random.default_rng(seed(graph))
    for ranges, integers in attempts(graph, generator):
        inputs = _draw(graph, generator, ranges, integers)
        expected = reference.evaluate(graph, inputs)
        exact = reference.evaluate(graph, inputs, rounded=False)
        if (
            _finite(graph, expected)
            and comparison.differences(graph, exact, expected, CONDITIONED)
            == []
        ):
            return inputs, expected
    return None


def seed(graph):
    return zlib.crc32(graph.name.encode())


def attempts(graph, generator):
    """What to draw from, one attempt after another: a range for each input,
    and one for integers."""
    for attempt in range(_TRIES):
        integers = 1, 4
        if attempt < len(_RANGES):
            ranges = [_RANGES[attempt]] * len(graph.inputs)
        else:
            integers = attempt % 2, 2 + attempt % 3
            ranges = [
                _RANGES[i]
                for i in generator.integers(
                    len(_RANGES), size=len(graph.inputs)
                )
            ]
        yield ranges, integers


def may_be_infinite(graph):
    return any(node.op in semantics.CLASSIFY for node in graph.nodes)


def has_infinity(graph):
    """Whether the first input is to have one."""
    return any(node.op == "IsInf" for node in graph.nodes)


def _finite(graph, arrays):
    return may_be_infinite(graph) or all(
        np.isfinite(array).all() for array in arrays
    )


def _draw(graph, generator, ranges, integers):
    bounds = index_bounds(graph)
    infinite = has_infinity(graph)
    arrays = []
    for i, (tensor, (low, high)) in enumerate(zip(graph.inputs, ranges)):
        shape = tensor.shape
        if tensor.dtype == "bool":
            array = generator.integers(2, size=shape)
        elif tensor.dtype in semantics.INTEGERS:
            array = (
                generator.integers(bounds[i], size=shape)
                if i in bounds
                else generator.integers(*integers, size=shape)
            )
        elif tensor.dtype == "complex64":
            array = generator.uniform(
                low, high, shape
            ) + 1j * generator.uniform(low, high, shape)
        else:
            array = generator.uniform(low, high, shape)
        array = np.ascontiguousarray(array.astype(tensor.dtype))
        if infinite and i == 0 and tensor.dtype in semantics.FLOATS:
            array.flat[generator.integers(array.size)] = np.inf
        arrays.append(array)
    return arrays


def index_bounds(graph):
    """{input: bound} of inputs that are indices."""
    bounds = {}
    for node in graph.nodes:
        if node.op == "Gather":
            table, index = node.operands
            bounds[index] = graph.type(table).shape[0]
        elif node.op == "OneHot":
            bounds[_source(graph, node.operands[0])] = node.type.shape[-1]
    return bounds


def _source(graph, value):
    """The input that reshapes lead to."""
    while value >= len(graph.inputs):
        value = graph.node(value).operands[0]
    return value
