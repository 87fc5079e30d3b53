"""grout.jax.jit, and the functions that it returns."""

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
    """A function that grout.jax.jit returns. Grout compiles it for each
    combination of shapes and types, at the first call that has this
    combination. Any number of threads may call it."""

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
        self._target = targets.get(target) if target else targets.cpu()
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
        """Runs the function. Results are JAX arrays, nested as the function
        nests them. Raises CompileError if Grout cannot compile the function,
        and TypeError and ValueError for arguments that it cannot take."""
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
        """Returns the module for such arguments, which may be
        jax.ShapeDtypeStruct.

        The module takes the arrays that the function captures, then the leaves
        of the arguments, and returns the leaves of the results. In the module,
        unsigned integers are signed integers of the same bits. Raises
        CompileError.
        """
        return self._program(self._jitted.trace(*args, **kwargs).jaxpr).module

    def as_text(self, *args: Any, **kwargs: Any) -> str:
        """Returns the program that the compiler gets for such arguments: MLIR,
        `linalg` on tensors. Raises CompileError."""
        return lowering.to_linalg(
            lowering.to_stablehlo(
                self._jitted.trace(*args, **kwargs).jaxpr, self._name
            )
        )

    def _program(self, traced: ClosedJaxpr) -> Program:
        # JAX keeps traces by types and static values, and returns the same
        # object.
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
    """Compiles a function of JAX arrays with Grout.

        fast = grout.jax.jit(lambda x, w: jax.nn.relu(x @ w))
        y = fast(x, w)

    Arguments and results are pytrees, as for jax.jit; `static_argnums` and
    `static_argnames` are those of jax.jit, too. `target` is "cpu" (default), or
    a GPU such as "h200", for which only Function.compile works. Compiled
    functions are kept in `cache_dir`, by default in the folder that
    GROUT_CACHE_DIR names (nowhere, if that is ""), or in ~/.cache/grout.

    There is no fallback: an operation that Grout lacks raises CompileError,
    which names the operation and its place in the source. Transformations go
    inside, `jit(jax.grad(f))`; a call raises TypeError where JAX traces. Raises
    ValueError for an unknown target.
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
