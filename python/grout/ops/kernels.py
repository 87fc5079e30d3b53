"""Compiles the operators of this package for tensors, and runs them.

A program is for one number of rows. So rows are padded, by at most an eighth,
and calls with similar numbers of rows share a program."""

from typing import Any, Callable, Sequence

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from torch.utils._python_dispatch import _disable_current_modes

_programs: dict[Any, Callable[..., Any]] = {}


def pad(x: torch.Tensor, dim: int, value: int = 0) -> torch.Tensor:
    """Pads an axis to one of the numbers of rows that have programs."""
    from ..torch.compilation.buckets import round_up

    missing = round_up(x.shape[dim]) - x.shape[dim]
    if not missing:
        return x
    return functional.pad(
        x, [0, 0] * (x.dim() - 1 - dim) + [0, missing], value=value
    )


def run(
    name: str, tensors: Sequence[torch.Tensor], *options: Any
) -> torch.Tensor:
    """Runs torch.ops.grout.NAME(*tensors, *options) by a program of Grout,
    which is compiled at the first call with such tensors. Raises
    FallbackForbidden if Grout has no kernel for them."""
    key = (name, options, *map(_key, tensors))
    if key not in _programs:
        from torch._dynamo.convert_frame import compile_lock

        # Tracers have state that threads share.
        with compile_lock:
            if key not in _programs:
                _programs[key] = _compile(name, tensors, options)
    result: torch.Tensor = _programs[key](*tensors)[0]
    return result


def _key(x: torch.Tensor) -> Any:
    return x.dtype, x.device, tuple(x.shape), x.stride()


def _compile(
    name: str, tensors: Sequence[torch.Tensor], options: Sequence[Any]
) -> Callable[..., Any]:
    from ..torch.compilation.graphs import compile_graph
    from ..torch.decompositions import tables
    from ..torch.options import Options

    operator = getattr(torch.ops.grout, name).default
    with _disable_current_modes(), torch.no_grad(), FakeTensorMode():
        fakes = [
            torch.empty_strided(
                x.shape, x.stride(), dtype=x.dtype, device=x.device
            )
            for x in tensors
        ]
        graph = make_fx(
            lambda *given: (operator(*given, *options),),
            decomposition_table=tables.for_device(tensors[0].device),
        )(*fakes)
    return compile_graph(graph, Options(fallback="error"))


def count() -> int:
    """Returns the number of programs."""
    return len(_programs)


def forget() -> None:
    """Drops all programs."""
    _programs.clear()
