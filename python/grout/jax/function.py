"""grout.jax.jit."""

import functools
import os
import threading
from typing import Any, Callable, Optional, Union

import jax
from jax.extend.core import ClosedJaxpr

from .. import _cache, targets
from ..module import Module
from . import arguments, lowering
from .programs import Program, compile_traced
from .statics import Names, Numbers, Statics


class Function:
    """A function that Grout compiles for each combination of shapes and types,
    when it first meets that; what grout.jax.jit returns. Any number of threads
    may call it."""

    def __init__(
        self,
        function: Callable[..., Any],
        target: Optional[str],
        static_argnums: Numbers,
        static_argnames: Names,
        cache_dir: Optional[_cache.Folder],
    ):
        functools.update_wrapper(self, function)
        self._name = getattr(function, "__name__", "function")
        self._target = targets.get(target) if target else targets.CPU
        self._jitted = jax.jit(
            function,
            static_argnums=static_argnums,
            static_argnames=static_argnames,
        )
        self._statics = Statics(function, static_argnums, static_argnames)
        self._cache = _cache.open_cache(cache_dir)
        self._programs: dict[ClosedJaxpr, Program] = {}
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function; results are JAX arrays, in the function's own
        structure. Raises CompileError if Grout cannot compile it, TypeError and
        ValueError for arguments that it cannot take."""
        if self._target.device_type != "cpu":
            raise ValueError(
                f"{self._name} is for {self._target.name}, and grout.jax runs on "
                "the CPU only so far; its method compile() gives the "
                "grout.Module"
            )
        leaves = jax.tree.leaves(self._statics.drop(args, kwargs))
        arguments.check(leaves)
        traced = self._jitted.trace(*args, **kwargs)
        results = self._program(traced.jaxpr)(leaves)
        return jax.tree.unflatten(traced.out_tree, results)

    def compile(self, *args: Any, **kwargs: Any) -> Module:
        """The module for arguments like these, which may be
        jax.ShapeDtypeStruct. It takes the arrays that the function captures,
        then the arguments' leaves, and gives the results' leaves; unsigned
        integers are signed ones of the same bits there."""
        return self._program(self._jitted.trace(*args, **kwargs).jaxpr).module

    def as_text(self, *args: Any, **kwargs: Any) -> str:
        """What the compiler gets for such arguments: MLIR, `linalg` on
        tensors."""
        return lowering.to_linalg(
            lowering.to_stablehlo(
                self._jitted.trace(*args, **kwargs).jaxpr, self._name
            )
        )

    def _program(self, traced: ClosedJaxpr) -> Program:
        # JAX keeps what it has traced, by types and static values.
        with self._lock:
            program = self._programs.get(traced)
            if program is None:
                program = compile_traced(
                    traced, self._name, self._target.name, self._cache
                )
                self._programs[traced] = program
            return program


def jit(
    function: Callable[..., Any],
    *,
    target: Optional[str] = None,
    static_argnums: Numbers = None,
    static_argnames: Names = None,
    cache_dir: Optional[Union[str, os.PathLike[str]]] = None,
) -> Function:
    """Compiles a function of JAX arrays by Grout.

    Arguments and results are pytrees, as for jax.jit, and so are
    `static_argnums` and `static_argnames`. `target` is "cpu", or "h100",
    "h200" or "a100", for which Function.compile alone works; None is "cpu".
    Compiled functions are kept in `cache_dir`, by default where GROUT_CACHE_DIR
    says (nowhere, if that is ""), or in ~/.cache/grout.

    There is no fallback: what Grout lacks raises CompileError, which names the
    operation and its place in the source. Transformations go inside,
    `jit(jax.grad(f))`; where JAX traces, a call raises TypeError. Raises
    ValueError for a target that is none.
    """
    if not callable(function):
        raise TypeError(f"a function is expected, not {function!r}")
    return Function(
        function,
        target,
        static_argnums,
        static_argnames,
        None if cache_dir is None else _cache.folder_of(cache_dir),
    )
