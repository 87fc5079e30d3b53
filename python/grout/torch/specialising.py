"""Graphs whose shapes change from call to call.

PyTorch makes one graph for all of them, with symbols. It is compiled for each
combination of shapes that is met, up to a number; by a thread of its own, and
until it has, and for shapes beyond that number, the fallback runs.
"""

import concurrent.futures
import functools
import threading
from typing import Any, Callable, Optional, Sequence

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import traceback
from torch.fx.experimental.proxy_tensor import make_fx

from .. import logs
from .fallback import compile_fallback
from .options import Options

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
                isinstance(extent, torch.SymInt) for extent in value.shape):
            return True
    return False


@functools.cache
def _compilers() -> concurrent.futures.Executor:
    return concurrent.futures.ThreadPoolExecutor(
        1, thread_name_prefix="grout-compiler")


_pending: set["concurrent.futures.Future[None]"] = set()


def wait() -> None:
    """Until everything that is being compiled for new shapes has been."""
    concurrent.futures.wait(list(_pending))


def _key_of(arguments: Sequence[Any]) -> tuple[Any, ...]:
    return tuple((tuple(argument.shape), tuple(argument.stride()))
                 if isinstance(argument, torch.Tensor) else argument
                 for argument in arguments)


def specialise(module: fx.GraphModule, arguments: Sequence[Any]
               ) -> fx.GraphModule:
    """The graph for the shapes of `arguments`."""
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fakes = [mode.from_tensor(argument, static_shapes=True)
                 if isinstance(argument, torch.Tensor) else argument
                 for argument in arguments]
        with traceback.preserve_node_meta():
            return make_fx(lambda *args: fx.Interpreter(module).run(*args))(
                *fakes)


class Specialised:
    """A graph with symbols as a function."""

    def __init__(self, module: fx.GraphModule, options: Options,
                 compile_static: Compile):
        self._module = module
        self._options = options
        self._compile_static = compile_static
        self._functions: dict[tuple[Any, ...], Optional[Function]] = {}
        self._lock = threading.Lock()
        # What may be refused is refused when shapes are known.
        kind = "eager" if options.fallback == "error" else options.fallback
        self._fallback = compile_fallback(module, kind, {})

    def __call__(self, *arguments: Any) -> Any:
        key = _key_of(arguments)
        function = self._functions.get(key)
        if function is None:
            function = self._meet(key, arguments)
        return function(*arguments)

    def _meet(self, key: tuple[Any, ...],
              arguments: Sequence[Any]) -> Function:
        with self._lock:
            is_new = (key not in self._functions
                      and len(self._functions) < self._options.max_shapes)
            if is_new:
                self._functions[key] = None
        if is_new and self._options.fallback == "error":
            self._compile(key, specialise(self._module, arguments))
            return self._functions[key] or self._fallback
        if is_new:
            future = _compilers().submit(self._compile, key, specialise(
                self._module, arguments))
            _pending.add(future)
            future.add_done_callback(_pending.discard)
        return self._fallback

    def _compile(self, key: tuple[Any, ...], module: fx.GraphModule) -> None:
        try:
            self._functions[key] = self._compile_static(module, self._options)
        except Exception as error:
            if self._options.fallback == "error":
                raise
            log.warning("shapes %s stay with the fallback: %s", key, error)
