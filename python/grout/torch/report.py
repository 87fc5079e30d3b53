"""What became of a model."""

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
    """The operators of a model's graphs: print it, show it in a notebook, or
    save it as a page of HTML."""

    def __init__(
        self,
        operators: Sequence[Operator],
        graph_breaks: Optional[Mapping[str, int]] = None,
    ):
        self.operators = list(operators)
        self.graph_breaks = dict(graph_breaks or {})
        """Where Dynamo followed the model no further, so that Python runs on
        until the next graph: why, and how often."""

    @property
    def computed(self) -> list[Operator]:
        """Without views, which compute nothing."""
        return [one for one in self.operators if not one.is_view]

    @property
    def compiled(self) -> list[Operator]:
        """Those that Grout runs."""
        return [one for one in self.computed if one.partition is not None]

    @property
    def share_of_operators(self) -> float:
        """Of Grout, from 0 to 1."""
        return len(self.compiled) / max(1, len(self.computed))

    @property
    def share_of_flops(self) -> float:
        """Of Grout, from 0 to 1, of the floating-point operations of products,
        convolutions and attention, as far as they are known; 1 if there are
        none."""
        total = _flops(self.computed)
        return _flops(self.compiled) / total if total else 1.0

    @property
    def uncounted(self) -> list[Operator]:
        """Those that PyTorch runs whose floating-point operations nobody
        knows."""
        return [
            one
            for one in self.computed
            if one.partition is None and one.flops is None
        ]

    @property
    def workspace_bytes(self) -> int:
        """The most that a partition needs for intermediates. Partitions that
        run one after another take the same bytes in turns."""
        return max((one.workspace_bytes for one in self.compiled), default=0)

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
        """Writes the page."""
        pathlib.Path(path).write_text(
            "<!DOCTYPE html><meta charset=utf-8><title>Grout</title><style>"
            "body{font:14px sans-serif}td,th{padding:2px 8px;text-align:left}"
            "tr:nth-child(even){background:#f3f3f3}</style>"
            + self._repr_html_()
        )


def _flops(operators: Iterable[Operator]) -> int:
    return sum(one.flops or 0 for one in operators)


def _percent(share: float, digits: int = 0) -> str:
    """Rounded down, so that 100 % is all."""
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
    without gradients, and tells what became of each operator.

    With a `target`, a processor that need not be there, it is compiled as for
    a package, and not run; models that grout.export refuses are, too.

    `options` are those of the backend; the fallback is eager unless they say
    otherwise, as it is quicker to compile. The model's buffers and the inputs
    get back what the run changes.
    """
    require_several(inputs, "grout.report")
    chosen = {"fallback": "eager", **(options or {})}
    # What torch.compile made is compiled as it was before.
    model = getattr(
        model, "_orig_mod", getattr(model, "_torchdynamo_orig_callable", model)
    )
    if target is not None:
        parsed = Options.parse(None, {**chosen, "target": target})
        args, kwargs = (
            ((), inputs) if isinstance(inputs, Mapping) else (inputs, {})
        )
        return Report(operators_for(model, args, kwargs, parsed))

    # Another function each time: PyTorch would reuse what it has compiled.
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
    """With code of its own, so that what is compiled for it counts for nothing
    that shares the code."""
    return types.FunctionType(
        function.__code__.replace(),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


@contextlib.contextmanager
def _unchanged(model: Any, inputs: Any) -> Iterator[None]:
    """Gives buffers and inputs back what they had."""
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
            # Autograd counts what is written.
            if not _is_same(tensor, copied):
                tensor.copy_(copied)


def _is_same(x: torch.Tensor, y: torch.Tensor) -> bool:
    return bool(((x == y) | ((x != x) & (y != y))).all())


def _without_limit() -> Any:
    """Whatever the number of graphs that a code has had."""
    most = sys.maxsize
    return torch._dynamo.config.patch(
        recompile_limit=most, accumulated_recompile_limit=most
    )
