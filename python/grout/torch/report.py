"""Tells which operators of a model Grout runs."""

import collections
import contextlib
import html
import math
import pathlib
import sys
import types
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

import torch
from torch import fx
from torch._dynamo.utils import counters
from torch.utils._pytree import tree_leaves

from .._sizes import text_of
from . import records
from .backend import backend
from .export.arguments import require_several
from .export.exporting import operators_for
from .options import Options
from .records import Operator


class Report:
    """The operators of a model's graphs, and whether Grout runs them. You can
    print a report, show it in a notebook, or save it as a page of HTML."""

    def __init__(
        self,
        operators: Sequence[Operator],
        graph_breaks: Optional[Mapping[str, int]] = None,
    ):
        self.operators = list(operators)
        self.graph_breaks = dict(graph_breaks or {})
        """The graph breaks: where Dynamo does not follow the model, Python runs
        until the next graph. Maps each reason to its count."""

    @property
    def computed(self) -> list[Operator]:
        """The operators without views, which compute nothing."""
        return [one for one in self.operators if not one.is_view]

    @property
    def compiled(self) -> list[Operator]:
        """The operators that Grout runs."""
        return [one for one in self.computed if one.partition is not None]

    @property
    def share_of_operators(self) -> float:
        """The share of `computed` that Grout runs, from 0 to 1."""
        return len(self.compiled) / max(1, len(self.computed))

    @property
    def share_of_flops(self) -> float:
        """The share of the floating-point operations that Grout runs, from 0 to
        1. Only GEMMs, convolutions and attention count, as far as their
        operations are known. The share is 1 if there are none."""
        total = _flops(self.computed)
        return _flops(self.compiled) / total if total else 1.0

    @property
    def uncounted(self) -> list[Operator]:
        """The operators that PyTorch runs and whose floating-point operations
        are not known."""
        return [
            one
            for one in self.computed
            if one.partition is None and one.flops is None
        ]

    @property
    def workspace_bytes(self) -> int:
        """The largest size of a partition's intermediates. Partitions that run
        one after another use the same bytes."""
        return max((one.workspace_bytes for one in self.compiled), default=0)

    @property
    def symmetric_bytes(self) -> int:
        """The symmetric memory that partitions for several ranks need on each
        rank, at most: equal partitions share theirs."""
        sizes = {
            (one.graph, one.partition): one.symmetric_bytes
            for one in self.compiled
        }
        return sum(sizes.values())

    @property
    def ranks(self) -> int:
        """The number of ranks that run partitions together, at most."""
        return max((one.ranks for one in self.compiled), default=1)

    def _summary(self) -> str:
        partitions = {(one.graph, one.partition) for one in self.compiled}
        known = " that are known" if self.uncounted else ""
        flops = (
            f" and {_percent(self.share_of_flops, 1)} of the FLOPs{known}"
            if _flops(self.computed)
            else ""
        )
        return (
            f"{len(self.compiled)} of {len(self.computed)} operators "
            f"({_percent(self.share_of_operators)}){flops} run in Grout, "
            f"in {len(partitions)} partition"
            f"{'s' * (len(partitions) != 1)}, of which none needs more "
            f"than {text_of(self.workspace_bytes)} for intermediates"
            + self._memory_of_ranks()
        )

    def _memory_of_ranks(self) -> str:
        if self.ranks == 1:
            return ""
        return (
            f"; they need {text_of(self.symmetric_bytes)} of symmetric memory "
            f"on each of {self.ranks} ranks"
        )

    def _unknown(self) -> list[str]:
        names = sorted({one.operator for one in self.uncounted})
        return (
            [
                f"FLOPs of {len(self.uncounted)} operators that PyTorch runs "
                f"are not known: {', '.join(names)}"
            ]
            if names
            else []
        )

    def _breaks(self) -> list[str]:
        return [
            f"{count} times PyTorch runs what its graphs do not have: "
            + reason.partition("\n")[0]
            for reason, count in self.graph_breaks.items()
        ]

    def __str__(self) -> str:
        lines = [
            self._summary(),
            *(f"  {line}" for line in (*self._unknown(), *self._breaks())),
        ]
        lines += [
            f"  {count:4} {refusal}"
            for count, refusal in records.refusals(self.operators)
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def row(cells: Sequence[object], tag: str = "td") -> str:
            return (
                "<tr>"
                + "".join(
                    f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells
                )
                + "</tr>"
            )

        rows = [
            row(
                (
                    "module",
                    "line",
                    "operator",
                    "result",
                    "FLOPs",
                    "runs in",
                    "why not in Grout",
                ),
                "th",
            )
        ]
        for one in self.computed:
            where = (
                "PyTorch"
                if one.partition is None
                else f"Grout, partition {one.graph}.{one.partition}"
            )
            rows.append(
                row(
                    (
                        one.module,
                        one.line,
                        one.operator,
                        one.shape,
                        "not known" if one.flops is None else one.flops or "",
                        where,
                        one.reason,
                    )
                )
            )
        said = "".join(
            f"<p>{html.escape(line)}</p>"
            for line in (self._summary(), *self._unknown(), *self._breaks())
        )
        return f"{said}<table>{''.join(rows)}</table>"

    def save(self, path: Union[str, pathlib.Path]) -> None:
        """Writes the report to a file, as a page of HTML."""
        pathlib.Path(path).write_text(
            "<!DOCTYPE html><meta charset=utf-8><title>Grout</title><style>"
            "body{font:14px sans-serif}td,th{padding:2px 8px;text-align:left}"
            "tr:nth-child(even){background:#f3f3f3}</style>"
            + self._repr_html_()
        )


def _flops(operators: Iterable[Operator]) -> int:
    return sum(one.flops or 0 for one in operators)


def _percent(share: float, digits: int = 0) -> str:
    """Formats a share. It is rounded down, so that 100 % means all."""
    unit = 10**digits
    return f"{math.floor(100 * share * unit) / unit:.{digits}f}%"


def report(
    model: Any,
    inputs: Union[Sequence[Any], Mapping[str, Any]],
    *,
    target: Optional[str] = None,
    options: Optional[Mapping[str, Any]] = None,
) -> Report:
    """Compiles a model for `inputs` (positional, or by name), runs it once
    without gradients, and returns a Report of its operators.

        print(grout.report(model, (x,)))

    With a `target`, a processor that need not be there, the model is compiled
    as for a package, and not run. Models that grout.export refuses raise the
    same errors here.

    `options` are those of the backend. The fallback is "eager" unless `options`
    say otherwise, because eager is quicker to compile. The model's buffers and
    the inputs get back the values that the run changes. Raises TypeError if
    `inputs` is a tensor alone.
    """
    require_several(inputs, "grout.report")
    chosen = {"fallback": "eager", **(options or {})}
    # Of a model from torch.compile, the original is compiled.
    model = getattr(
        model, "_orig_mod", getattr(model, "_torchdynamo_orig_callable", model)
    )
    if target is not None:
        parsed = Options.parse(None, {**chosen, "target": target})
        args, kwargs = (
            ((), inputs) if isinstance(inputs, Mapping) else (inputs, {})
        )
        return Report(operators_for(model, args, kwargs, parsed))

    # A new function each time, because PyTorch reuses graphs that were compiled
    # by the same backend.
    def compile_again(module: fx.GraphModule, examples: Sequence[Any]) -> Any:
        return backend(module, examples, options=chosen)

    before = collections.Counter(counters["graph_break"])
    call = _fresh(lambda *args, **named: model(*args, **named))
    compiled = torch.compile(call, backend=compile_again, dynamic=False)
    with (
        torch.no_grad(),
        _unchanged(model, inputs),
        _without_limit(),
        records.listen() as operators,
    ):
        if isinstance(inputs, Mapping):
            compiled(**inputs)
        else:
            compiled(*inputs)
    return Report(
        operators, collections.Counter(counters["graph_break"]) - before
    )


def _fresh(function: Any) -> types.FunctionType:
    """Returns a function with code of its own, so that its compilations do not
    count for other functions that share the code."""
    return types.FunctionType(
        function.__code__.replace(),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


@contextlib.contextmanager
def _unchanged(model: Any, inputs: Any) -> Iterator[None]:
    """Restores the values of buffers and inputs at the end."""
    tensors = [
        leaf
        for leaf in tree_leaves(
            list(inputs.values()) if isinstance(inputs, Mapping) else inputs
        )
        if isinstance(leaf, torch.Tensor)
    ]
    modules = (
        list(model.modules()) if isinstance(model, torch.nn.Module) else []
    )
    buffers = [(module, dict(module._buffers)) for module in modules]
    tensors += [
        buffer
        for _, own in buffers
        for buffer in own.values()
        if buffer is not None
    ]
    copies = [
        (tensor, tensor.clone())
        for tensor in tensors
        if torch._debug_has_internal_overlap(tensor) != 1
    ]
    try:
        yield
    finally:
        for module, own in buffers:
            module._buffers.update(own)
        for tensor, copied in copies:
            # Autograd counts writes, so only tensors that differ are written.
            if not _is_same(tensor, copied):
                tensor.copy_(copied)


def _is_same(x: torch.Tensor, y: torch.Tensor) -> bool:
    return bool(((x == y) | ((x != x) & (y != y))).all())


def _without_limit() -> Any:
    """Lifts the limit on the number of graphs that are compiled for the same
    code."""
    most = sys.maxsize
    return torch._dynamo.config.patch(
        recompile_limit=most, accumulated_recompile_limit=most
    )
