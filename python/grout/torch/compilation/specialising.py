"""Graphs whose shapes change from call to call.

PyTorch makes one graph with symbols for all shapes. Grout compiles it for each
combination of shapes that it meets, up to a number; beyond that number, it
compiles the graph for buckets of shapes, if rows may be padded. A thread of its
own compiles. Until it has finished, and for shapes that have no program, the
fallback runs.
"""

import concurrent.futures
import dataclasses
import functools
import os
import threading
from typing import Any, Callable, Optional, Sequence

import torch
from torch import fx
from torch._dynamo.convert_frame import compile_lock
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import traceback
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import (
    free_unbacked_symbols,
    is_nested_int,
)

from ... import logs
from ..decompositions import tables
from ..errors import FallbackForbidden
from ..graph import collectives, support
from ..options import Options
from ..runtime.fallback import compile_fallback
from .buckets import Buckets

log = logs.logger("refusals")

Function = Callable[..., Any]
Compile = Callable[[fx.GraphModule, Options], Function]


def is_dynamic(module: fx.GraphModule) -> bool:
    """Whether the inputs of a graph have symbols in their shapes. This asks
    only for types, because PyTorch would guard any other answer."""
    for node in module.graph.nodes:
        value = node.meta.get("val") if node.op == "placeholder" else None
        if isinstance(value, torch.SymInt):
            return True
        if isinstance(value, torch.Tensor) and any(
            isinstance(extent, torch.SymInt) for extent in value.shape
        ):
            return True
    return False


def depends_on_data(module: fx.GraphModule) -> bool:
    """Whether shapes depend on the values of elements, as those of a masked
    selection do."""
    return any(
        free_unbacked_symbols(value)
        for node in module.graph.nodes
        for value in support.values_of(node)
        if isinstance(value, (torch.Tensor, torch.SymInt))
    )


def has_nested_extents(module: fx.GraphModule) -> bool:
    """Whether there are nested tensors, whose shapes do not say how long the
    parts are."""
    return any(
        is_nested_int(node.meta.get("val"))
        for node in module.graph.nodes
        if node.op == "placeholder"
    )


@functools.cache
def _compilers() -> concurrent.futures.Executor:
    return concurrent.futures.ThreadPoolExecutor(
        1, thread_name_prefix="grout-compiler"
    )


_pending: set["concurrent.futures.Future[None]"] = set()


def _forget_compilers() -> None:
    """Resets the state of a process that was forked, which has no such
    thread."""
    compile_lock.release()
    _compilers.cache_clear()
    _pending.clear()


# The compiler's thread may hold the lock, which the child would never get.
os.register_at_fork(
    before=compile_lock.acquire,
    after_in_parent=compile_lock.release,
    after_in_child=_forget_compilers,
)


def wait() -> None:
    """Waits until all programs that are being compiled for new shapes are
    ready."""
    concurrent.futures.wait(list(_pending))


def _key_of(arguments: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(
        (tuple(argument.shape), tuple(argument.stride()))
        if isinstance(argument, torch.Tensor)
        else argument
        for argument in arguments
    )


def specialise(
    module: fx.GraphModule, arguments: Sequence[Any]
) -> fx.GraphModule:
    """Returns the graph for the shapes of `arguments`."""
    # The decompositions that depend on extents are made now.
    table = tables.for_graph(module)
    # Tracers have state that threads share.
    with compile_lock, FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fakes = [
            mode.from_tensor(argument, static_shapes=True)
            if isinstance(argument, torch.Tensor)
            else argument
            for argument in arguments
        ]
        with traceback.preserve_node_meta():
            return make_fx(
                lambda *args: fx.Interpreter(module).run(*args),
                decomposition_table=table,
            )(*fakes)


class _Programs:
    """Functions for combinations of shapes, up to max_shapes, compiled in the
    background. Collectives are compiled at once, so that all ranks run the same
    function in the same call."""

    def __init__(
        self, module: fx.GraphModule, options: Options, compile_static: Compile
    ):
        self._module = module
        self._options = options
        self._compile_static = compile_static
        self._is_awaited = options.fallback == "error" or any(
            map(collectives.begun_by, module.graph.nodes)
        )
        self._functions: dict[tuple[Any, ...], Optional[Function]] = {}
        self._lock = threading.Lock()

    def find(self, arguments: Sequence[Any]) -> Optional[Function]:
        """Returns the function for such arguments, or None if there is none, or
        none yet. Begins to compile it, if it is new and there is room."""
        key = _key_of(arguments)
        function = self._functions.get(key)
        if function is not None or key in self._functions:
            return function
        with self._lock:
            if (
                key in self._functions
                or len(self._functions) >= self._options.max_shapes
            ):
                return self._functions.get(key)
            if self._is_awaited:
                # Other threads wait for the lock: they may run nothing else.
                return self._functions.setdefault(
                    key, self._compile_now(arguments)
                )
            self._functions[key] = None
        module = specialise(self._module, arguments)
        future = _compilers().submit(self._compile, key, module)
        _pending.add(future)
        future.add_done_callback(_pending.discard)
        return None

    def has_room_for(self, arguments: Sequence[Any]) -> bool:
        """Whether these shapes are, or may be, compiled."""
        return (
            len(self._functions) < self._options.max_shapes
            or _key_of(arguments) in self._functions
        )

    def _compile_now(self, arguments: Sequence[Any]) -> Function:
        """Compiles a function. If that needs a fallback that is forbidden,
        returns a function that raises FallbackForbidden at each call."""
        try:
            return self._compile_static(
                specialise(self._module, arguments), self._options
            )
        except FallbackForbidden as error:
            return _raising(error)

    def _compile(self, key: tuple[Any, ...], module: fx.GraphModule) -> None:
        try:
            self._functions[key] = self._compile_static(module, self._options)
        except Exception as error:
            log.warning("shapes %s stay with the fallback: %s", key, error)


def _raising(error: FallbackForbidden) -> Function:
    """Returns a function that raises an error with the same message. `error`
    itself has frames, which keep the arguments of their calls alive."""
    message = str(error)

    def function(*arguments: Any) -> Any:
        raise FallbackForbidden(message)

    return function


def _fall_back(module: fx.GraphModule, options: Options) -> Function:
    """Returns the function for shapes that have no program, or none yet."""
    try:
        return compile_fallback(
            module,
            options.fallback,
            "a graph of other shapes is left to "
            f"PyTorch: there are programs for {options.max_shapes}, which is "
            "max_shapes",
        )
    except FallbackForbidden as error:
        return _raising(error)


class Specialised:
    """A graph with symbols, as a function. The first combinations of shapes
    have programs of their own. Later ones share programs for buckets, if rows
    may be padded."""

    def __init__(
        self, module: fx.GraphModule, options: Options, compile_static: Compile
    ):
        # No tuning: the caller's work would disturb measurements.
        options = dataclasses.replace(options, mode="default")
        self._exact = _Programs(module, options, compile_static)
        self._rounded = _Programs(module, options, compile_static)
        self._buckets = Buckets(module)
        self._fallback = _fall_back(module, options)

    def __call__(self, *arguments: Any) -> Any:
        function = self._exact.find(arguments)
        if function is not None:
            return function(*arguments)
        if not self._exact.has_room_for(arguments):
            extents = self._buckets.extents(arguments)
            if extents:
                padded = self._buckets.pad(arguments, extents)
                function = self._rounded.find(padded)
                if function is not None:
                    return self._buckets.cut(function(*padded), extents)
        return self._fallback(*arguments)
