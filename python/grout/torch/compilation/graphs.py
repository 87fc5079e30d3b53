"""Compiles graphs of ATen operators: Grout runs the operators that it can, the
fallback runs the others."""

import itertools
import time
from typing import Any, Callable, Optional

import torch
from torch import fx

from ... import logs, targets
from ..._cache import Refusal, open_cache
from ...module import Module
from .. import records
from ..graph import collectives, orders, sources, support
from ..graph.layers import layer_of
from ..options import Options
from ..rewrites import (
    attention,
    constants,
    f32_products,
    indexing,
    literals,
    operand_types,
    registry,
    updates,
)
from ..rewrites.padding import pad_products
from ..rewrites.rewrite import Context
from ..runtime import gpus
from ..runtime.fallback import compile_fallback
from ..runtime.partition import Output, Partition
from ..runtime.verifying import verified
from . import segments
from .artifacts import Artifacts
from .autotuning import Autotuner
from .progress import Progress
from .specialising import (
    Specialised,
    depends_on_data,
    has_nested_extents,
    is_dynamic,
)

log = logs.logger("refusals")

Refusals = dict[fx.Node, str]

_DEPEND = "its shapes change, and depend on what is computed"
_ARE_NESTED = "it has nested tensors, and no shape says how long the parts are"


def compile_graph(
    module: fx.GraphModule, options: Options
) -> Callable[..., Any]:
    """Returns a function that takes the graph's inputs, and returns its
    outputs."""
    if is_dynamic(module):
        reason = (
            _ARE_NESTED
            if has_nested_extents(module)
            else _DEPEND
            if depends_on_data(module)
            else None
        )
        if reason:
            reason = f"a graph is left to PyTorch: {reason}"
            log.info("%s", reason)
            _record_left(module, reason)
            return compile_fallback(module, options.fallback, reason)
        return Specialised(module, options, compile_graph)
    return _Graph(module, options).compile()


def compile_parts(
    module: fx.GraphModule, options: Options
) -> tuple[list[segments.Segment], list[Optional[Callable[..., Any]]]]:
    """Compiles a graph for a processor that need not be there. Returns its
    segments, and for each the function that Grout compiled, or None if PyTorch
    runs it. Records tell what became of each operator."""
    return _Graph(module, options, is_packaged=True).partition()


def _record_left(module: fx.GraphModule, reason: str) -> None:
    """Records the operators of a graph that PyTorch runs as a whole."""
    records.tell(
        [
            records.describe(
                node, None, records.VIEW if support.is_view(node) else reason
            )
            for node in module.graph.nodes
            if node.op == "call_function"
        ]
    )


class _Graph:
    def __init__(
        self,
        module: fx.GraphModule,
        options: Options,
        is_packaged: bool = False,
    ):
        self._module = module
        self._options = options
        self._device = support.device_of(module)
        found = (
            targets.get(options.target)
            if options.target
            else _target_of(self._device)
        )
        self._has_target = found is not None
        # Without a target, all operators are refused.
        self._target = found or targets.cpu()
        self._refusals: Refusals = {}
        # The modules of segments, by the first node of each.
        self._modules: dict[fx.Node, Module] = {}
        self._context = Context(
            self._target,
            self._device,
            options.excluded_ops,
            options.f32_products,
            is_packaged=is_packaged,
        )
        tuner = Autotuner(self._device) if self._is_tuned() else None
        self._artifacts = Artifacts(
            self._target.name,
            f32_products.choose(options.f32_products, self._target),
            options.rounding,
            options.chosen_policy or (None if tuner else "wave"),
            options.trace and self._target.device_type == "cuda",
            open_cache(options.cache_dir),
            tuner,
        )

    def _is_tuned(self) -> bool:
        """Whether tilings are to be measured, and there is a GPU to measure
        on."""
        return (
            self._options.is_tuned
            and self._target.has_products
            and self._device is not None
            and self._device.type == self._target.device_type == "cuda"
            and torch.cuda.is_available()
        )

    def compile(self) -> Callable[..., Any]:
        parts, compiled = self.partition()
        constants.move(self._module)
        extracted = [segments.extract(self._module, part) for part in parts]
        functions = [
            function or self._fall_back(part, segment.module)
            for part, segment, function in zip(parts, extracted, compiled)
        ]
        return segments.assemble(self._module, extracted, functions).forward

    def partition(
        self,
    ) -> tuple[list[segments.Segment], list[Optional[Callable[..., Any]]]]:
        """Returns the graph's segments, and for each the function that Grout
        compiled, or None if PyTorch runs it."""
        registry.apply(self._module, self._context)
        self._context.unpadded = attention.find_products(
            self._module, self._target
        )
        self._refuse_unsupported()
        self._pad_products()
        while True:
            parts = self._cut()
            compiled = self._compile_all(parts)
            if all(
                function or not part.is_grout
                for part, function in zip(parts, compiled)
            ):
                break
        self._record(parts)
        return parts, compiled

    def _compile_all(
        self, parts: list[segments.Segment]
    ) -> list[Optional[Callable[..., Any]]]:
        """Compiles all segments. Returns None for those that are not Grout's,
        or are refused."""
        compiled: list[Optional[Callable[..., Any]]] = []
        with Progress(sum(part.is_grout for part in parts)) as progress:
            for part in parts:
                if not part.is_grout:
                    compiled.append(None)
                    continue
                progress.compiling()
                begin = time.monotonic()
                compiled.append(self._compile(part))
                progress.compiled(
                    len(part.nodes),
                    time.monotonic() - begin,
                    "compiled" if compiled[-1] else "refused",
                )
        return compiled

    def _record(self, parts: list[segments.Segment]) -> None:
        numbers = itertools.count()
        operators: list[records.Operator] = []
        told: set[fx.Node] = set()
        of_grout = {
            node for part in parts if part.is_grout for node in part.nodes
        }
        for part in parts:
            number = next(numbers) if part.is_grout else None
            for node in part.nodes:
                if node in told or (number is None and node in of_grout):
                    continue
                told.add(node)
                reason = "" if number is not None else self._reason(node)
                operators.append(
                    records.describe(
                        node,
                        number,
                        reason,
                        self._modules.get(part.nodes[0])
                        if number is not None
                        else None,
                    )
                )
        records.tell(operators)
        for count, refusal in records.refusals(operators):
            log.info("%d %s", count, refusal)

    def _reason(self, node: fx.Node) -> str:
        """Returns why a node is left to PyTorch."""
        if support.is_view(node):
            return records.VIEW
        if support.is_empty(node):
            return records.EMPTY
        if support.is_check(node):
            return records.CHECK
        # Constants are in the segments that use them.
        return self._refusals.get(node, "only what is left to PyTorch uses it")

    def _refuse_unsupported(self) -> None:
        for node in self._module.graph.nodes:
            if node.op != "call_function":
                continue
            reason = (
                "tensors are on several GPUs"
                if self._device is None
                else "Grout has no such processor"
                if not self._has_target
                else registry.refusal(node, self._context)
            )
            if reason:
                self._refusals[node] = reason

    def _pad_products(self) -> None:
        if self._target.device_type == "cuda" and self._target.has_products:
            pad_products(
                self._module, {*self._refusals, *self._context.unpadded}
            )

    def _cut(self) -> list[segments.Segment]:
        parts = segments.cut(
            self._module.graph,
            lambda node: node not in self._refusals,
            layer_of,
        )
        small = [
            part
            for part in parts
            if part.is_grout and not self._is_worthwhile(part)
        ]
        if not small:
            return parts
        for part in small:
            for node in set(part.nodes) - part.copied:
                self._refusals[node] = (
                    "too few operators in a row are Grout's here"
                )
        return self._cut()

    def _is_worthwhile(self, part: segments.Segment) -> bool:
        if any(map(support.is_product, part.nodes)):
            return True
        computed = sum(
            not support.is_view(node) for node in set(part.nodes) - part.copied
        )
        fewest = (
            1
            if self._options.fallback == "error"
            else self._options.min_block_size
        )
        return computed >= fewest

    def _compile(self, part: segments.Segment) -> Optional[Callable[..., Any]]:
        """Compiles a segment. Returns None if it is refused; then some of its
        nodes are refused, or padded, from now on."""
        segment = segments.extract(self._module, part)
        exposed, in_place = updates.expose(segment.module)
        lowered, message = self._lower(orders.apply(exposed))
        entry = self._artifacts.compile(lowered)
        if isinstance(entry, Refusal):
            self._refuse(part, lowered, entry)
            return None
        self._modules[part.nodes[0]] = entry
        assert self._device is not None
        outputs = [
            Output.like(node.meta["val"], number)
            for node, number in zip(updates.results_of(exposed), in_place)
        ]
        if message:
            outputs.append(Output((), (), torch.bool, message))
        partition = Partition(
            entry,
            orders.inputs_of(segment.module),
            outputs,
            self._device,
            collectives.of(segment.module.graph),
        )
        if self._options.verify:
            return verified(
                partition, exposed, [node.name for node in segment.outputs]
            )
        return partition

    def _lower(self, module: fx.GraphModule) -> tuple[fx.GraphModule, str]:
        lowered, message = indexing.lower(
            module, on_gpu=self._target.device_type == "cuda"
        )
        literals.fold(lowered)
        operand_types.make_equal(lowered)
        return lowered, message

    def _refuse(
        self, part: segments.Segment, module: fx.GraphModule, refusal: Refusal
    ) -> None:
        of_name = {node.name: node for node in part.nodes}
        inside = list(module.graph.nodes)
        named = [
            of_name[name]
            for number in refusal.nodes
            if (name := indexing.origin_of(inside[number])) in of_name
        ]
        own = [node for node in part.nodes if node not in part.copied]
        culprits = (
            named or [node for node in own if self._fails_alone(node)] or own
        )
        log.debug(
            "refused: %s (%s)", refusal.reason, ", ".join(map(str, culprits))
        )
        if not self._context.unpadded.isdisjoint(culprits):
            self._give_up_attention(culprits)
            return
        for node in culprits:
            self._refusals[node] = refusal.reason

    def _give_up_attention(self, culprits: list[fx.Node]) -> None:
        """Pads those GEMMs of `culprits` that were left unpadded only for
        attention, or leaves them to PyTorch."""
        products = self._context.unpadded.intersection(culprits)
        self._context.unpadded -= products
        for node in products:
            if reason := registry.refusal(node, self._context):
                self._refusals[node] = reason
        self._pad_products()

    def _fails_alone(self, node: fx.Node) -> bool:
        if node in self._context.unpadded:
            return False
        segment = segments.extract(self._module, segments.Segment(True, [node]))
        lowered, _ = self._lower(segment.module)
        return isinstance(self._artifacts.compile(lowered), Refusal)

    def _fall_back(
        self, part: segments.Segment, module: fx.GraphModule
    ) -> Callable[..., Any]:
        return compile_fallback(
            module,
            self._options.fallback,
            next(
                (
                    f"{support.name_of(node)} is left to PyTorch: "
                    f"{self._refusals[node]}{sources.place_of(node)}"
                    for node in part.nodes
                    if node in self._refusals
                ),
                "",
            ),
        )


def _target_of(device: Optional[torch.device]) -> Optional[targets.Target]:
    """Returns the target for a device, or None if there is none."""
    if device is None:
        return None
    if device.type == "cpu":
        return targets.cpu()
    return gpus.target_of(device) if device.type == "cuda" else None
