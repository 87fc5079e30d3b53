"""Compiles traced functions, or finds them in the cache."""

import importlib.metadata
from typing import Any, Optional, Sequence

import jax
import numpy
from jax.extend.core import ClosedJaxpr

from .. import _arrays, _cache, compiling, logs
from ..errors import CompileError
from ..module import Module
from . import arguments, lowering, places

log = logs.logger("cache")


class Program:
    """A compiled function of arrays, with the arrays that it captures."""

    def __init__(self, module: Module, traced: ClosedJaxpr):
        self.module = module
        self._traced = traced
        self._captured = [_snapshot(value) for value in traced.consts]

    def __call__(self, leaves: Sequence[Any]) -> list[jax.Array]:
        """Runs the function on the leaves of its arguments; returns the
        results' leaves."""
        device = arguments.device_of(leaves)
        inputs = [
            arguments.to_numpy(leaf, aval.dtype)
            for leaf, aval in zip(leaves, self._traced.in_avals)
        ]
        results = [
            _arrays.aligned(info.shape, info.dtype)
            for info in self.module.outputs
        ]
        self.module(*self._captured, *inputs, out=results)
        return [
            arguments.to_jax(result, aval, device)
            for result, aval in zip(results, self._traced.out_avals)
        ]


def _snapshot(value: Any) -> _arrays.Array:
    """Returns a captured array, which nobody can change any more."""
    array = arguments.to_numpy(value, value.dtype)
    return array if isinstance(value, jax.Array) else numpy.array(array)


def compile_traced(
    traced: ClosedJaxpr, name: str, target: str, cache: Optional[_cache.Cache]
) -> Program:
    """Compiles a function, or finds it in the cache. Raises CompileError."""
    arguments.check(traced.consts)
    stablehlo = lowering.to_stablehlo(traced, name)
    if cache is None:
        return Program(_compile(stablehlo, name, target), traced)
    version = importlib.metadata.version("jaxlib")
    key = _cache.key_of(target, f"{version}\n{stablehlo}")
    module = cache.load(key)
    if isinstance(module, Module) and not _fits(module, traced):
        log.warning("an entry of the cache is another program's: %s", key)
        module = None
    if not isinstance(module, Module):
        module = _compile(stablehlo, name, target)
        cache.store(key, module)
    return Program(module, traced)


def _compile(stablehlo: Any, name: str, target: str) -> Module:
    linalg = lowering.to_linalg(stablehlo)
    try:
        return compiling.compile(
            linalg, target=target, name=name, reference=False
        )
    except CompileError as error:
        raise places.explain(error) from None


def _fits(module: Module, traced: ClosedJaxpr) -> bool:
    """Whether the inputs and outputs of a module have the shapes of a
    function's."""
    inputs = [value.shape for value in (*traced.consts, *traced.in_avals)]
    outputs = [aval.shape for aval in traced.out_avals]
    return [info.shape for info in module.inputs] == inputs and [
        info.shape for info in module.outputs
    ] == outputs
