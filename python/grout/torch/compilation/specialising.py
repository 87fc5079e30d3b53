"""Graphs whose shapes change from call to call.

PyTorch makes one graph for all of them, with symbols. It is compiled for each
combination of shapes that is met, up to a number, and beyond that for buckets of
them, if rows may be padded. A thread of its own does that; until it has, and for
shapes that have none, the fallback runs.
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
from ..graph import support
from ..options import Options
from ..runtime.fallback import compile_fallback
from .buckets import Buckets

log = logs.logger("refusals")

Function = Callable[..., Any]
Compile = Callable[[fx.GraphModule, Options], Function]


def is_dynamic(module: fx.GraphModule) -> bool:
    """Whether a graph has symbols for what it is given. Asking for more than
    their types would make PyTorch guard the answers."""
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
    """Whether shapes follow from elements, as those of what is masked do."""
    return any(
        free_unbacked_symbols(value)
        for node in module.graph.nodes
        for value in support.values_of(node)
        if isinstance(value, (torch.Tensor, torch.SymInt))
    )


def has_nested_extents(module: fx.GraphModule) -> bool:
    """Whether there are nested tensors, of which no shape says how long the
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
    """In a process that was forked, which has no such thread."""
    compile_lock.release()
    _compilers.cache_clear()
    _pending.clear()


# That thread may have the lock, and would have it in the child for ever.
os.register_at_fork(
    before=compile_lock.acquire,
    after_in_parent=compile_lock.release,
    after_in_child=_forget_compilers,
)


def wait() -> None:
    """Until everything that is being compiled for new shapes has been."""
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
    """The graph for the shapes of `arguments`."""
    # What depends on extents has waited for them.
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
    """Functions for shapes, up to a number, made in the background."""

    def __init__(
        self, module: fx.GraphModule, options: Options, compile_static: Compile
    ):
        self._module = module
        self._options = options
        self._compile_static = compile_static
        self._functions: dict[tuple[Any, ...], Optional[Function]] = {}
        self._lock = threading.Lock()

    def find(self, arguments: Sequence[Any]) -> Optional[Function]:
        """None if there is none, or none yet."""
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
            if self._options.fallback == "error":
                # Others wait for it, as there is nothing else to run.
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
        """A function that says at each call why there is none, where that is
        so."""
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
    """A function that says the same. `error` itself has frames, which keep what
    they were called with."""
    message = str(error)

    def function(*arguments: Any) -> Any:
        raise FallbackForbidden(message)

    return function


def _fall_back(module: fx.GraphModule, options: Options) -> Function:
    """For shapes that have no program, or none yet."""
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
    """A graph with symbols as a function. The first shapes have programs of
    their own; those beyond their number share some for buckets, if rows may be
    padded."""

    def __init__(
        self, module: fx.GraphModule, options: Options, compile_static: Compile
    ):
        # Nobody would measure beside what the caller does meanwhile.
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
