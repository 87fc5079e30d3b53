"""Compiles graphs to artifacts. Equal graphs are compiled once, by this process
or by an earlier one."""

import threading
from typing import Any, Optional

from torch import fx

from ... import compiling, logs
from ..._cache import Cache, Entry, Refusal, key_of
from ...errors import CompileError
from ...module import Module
from ..graph import collectives
from ..graph.keys import describe
from ..rewrites import roundings
from . import importing
from .autotuning import Autotuner
from .explaining import log_explanation

log = logs.logger("cache")
_mlir = logs.logger("mlir")

_lock = threading.Lock()
_known: dict[str, Entry] = {}


def _fits(artifact: Module, module: fx.GraphModule) -> bool:
    """Whether the inputs of an artifact have the shapes of a graph's inputs."""
    shapes = [
        tuple(node.meta["val"].shape)
        for node in module.graph.nodes
        if node.op == "placeholder"
    ]
    return [info.shape for info in artifact.inputs] == shapes


class Artifacts:
    """Compiles graphs for one target.

    GEMMs of f32 are computed as `f32_products` says, results are rounded as
    `rounding` says, and `launch_policy` orders the kernels. With `trace`, their
    kernels can record their times. Artifacts are kept in `cache`. If there is a `tuner`, it measures tilings. It also measures the
    order of kernels if `launch_policy` is None, which is allowed only with a
    tuner. Graphs for several ranks are not measured, because all ranks would
    have to run them together.
    """

    def __init__(
        self,
        target: str,
        f32_products: str,
        rounding: str,
        launch_policy: Optional[str],
        trace: bool,
        cache: Optional[Cache],
        tuner: Optional[Autotuner] = None,
    ):
        self._target = target
        self._f32_products = f32_products
        self._rounding = rounding
        self._launch_policy = launch_policy
        self._trace = trace
        self._cache = cache
        self._tuner = tuner

    def compile(self, module: fx.GraphModule) -> Entry:
        """Returns the artifact of a graph, or the Refusal if there is none."""
        tuner = self._tuner_for(module)
        tuned = f"tuned on {tuner.name}\n" if tuner else ""
        roundings.mark(module, self._rounding)
        key = key_of(
            self._target,
            "\n".join(
                (
                    self._f32_products,
                    self._rounding,
                    str(self._launch_policy),
                    "traced" if self._trace else "",
                    roundings.describe(module),
                    f"{tuned}{describe(module)}",
                )
            ),
        )
        with _lock:
            entry = _known.get(key)
        if entry is None and self._cache:
            entry = self._cache.load(key)
            if isinstance(entry, Module) and not _fits(entry, module):
                log.warning(
                    "an entry of the cache is another program's: %s", key
                )
                entry = None
        if entry is None:
            entry = self._compile(module)
            if self._cache:
                self._cache.store(key, entry)
        with _lock:
            return _known.setdefault(key, entry)

    def _tuner_for(self, module: fx.GraphModule) -> Optional[Autotuner]:
        is_alone = collectives.of(module.graph) is None
        return self._tuner if is_alone else None

    def _compile(self, module: fx.GraphModule) -> Entry:
        options: dict[str, Any] = {
            "target": self._target,
            "f32_products": self._f32_products,
            "rounding": "once" if self._rounding == "once" else "operator",
            "name": "partition",
            "reference": False,
            "trace": self._trace,
        }
        tuner = self._tuner_for(module)
        policy = self._launch_policy or (None if tuner else "serial")
        if policy:
            options["launch_policy"] = policy
        try:
            program = importing.import_graph(module)
            _mlir.debug("%s", program)
            if tuner:
                return tuner.compile(program, **options)
            log_explanation(program, **options)
            return compiling.compile(program, **options)
        except CompileError as error:
            return self._explain(module, error)

    def _explain(self, module: fx.GraphModule, error: CompileError) -> Refusal:
        first = next(
            (one for one in error.diagnostics if one.severity == "error"), None
        )
        reason = (
            str(error)
            if not first
            else (f"{first.op} {first.reason}" if first.op else first.reason)
        )
        nodes = importing.nodes_at(module, first.location) if first else []
        numbers = {node: i for i, node in enumerate(module.graph.nodes)}
        return Refusal(reason, [numbers[node] for node in nodes])
