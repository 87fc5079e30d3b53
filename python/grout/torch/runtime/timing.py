"""Measures modules on a GPU: CUDA graphs of many calls take turns."""

import dataclasses
import math
import random
import statistics
from types import MappingProxyType
from typing import Callable, Collection, Mapping, Optional, Sequence

import torch

from ... import module as _module
from ...errors import RunError
from ..records import dtype_of
from .agreement import difference

# How long a replay lasts: long, compared with a launch.
_REPLAY_US = 1000.0
_MOST_CALLS = 400

# After one turn, modules that take more than this many times as long as the
# fastest are given up.
_HOPELESS = 1.5
_TURNS = 8


@dataclasses.dataclass(frozen=True)
class Times:
    """The times of a module, in microseconds for a call."""

    samples: list[float]
    is_given_up: bool
    """Whether the module was given up after the first turn, and so has one
    sample."""

    @property
    def median(self) -> float:
        return statistics.median(self.samples)


def measure(
    modules: Sequence[_module.Module],
    device: torch.device,
    cold: Collection[int] = (),
    values: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> list[Optional[Times]]:
    """Measures modules that have the same signature, and returns the times of
    each.

    Inputs are random, but truth values and integers are 0, unless `values` has
    the values of an input, such as ends of groups. The inputs whose
    numbers are in `cold` are in no cache, like the weights of a model's layers.
    Returns None for a module that fails, or whose results differ from those of
    the first module. Raises RunError if the first module fails.
    """
    with torch.cuda.device(device):
        return _Bench(modules, device, cold, values).run()


class _Bench:
    def __init__(
        self,
        modules: Sequence[_module.Module],
        device: torch.device,
        cold: Collection[int],
        values: Mapping[int, Sequence[int]],
    ):
        self._modules = modules
        self._device = device
        first = modules[0]
        # A generator of its own leaves the caller's random numbers unchanged.
        self._generator = torch.Generator(device).manual_seed(0)
        inputs = [
            self._given(info, values[number])
            if number in values
            else self._make(info)
            for number, info in enumerate(first.inputs)
        ]
        self._sets = [inputs]
        bytes_ = sum(first.inputs[i].bytes for i in cold)
        if bytes_:
            cache = torch.cuda.get_device_properties(device).L2_cache_size
            for _ in range(min(math.ceil(2 * cache / bytes_), 32) - 1):
                self._sets.append(
                    [
                        tensor.clone() if i in cold else tensor
                        for i, tensor in enumerate(inputs)
                    ]
                )
        self._results = [
            inputs[info.in_place]
            if info.in_place is not None
            else self._make(info)
            for info in first.outputs
        ]

    def _given(
        self, info: _module.TensorInfo, values: Sequence[int]
    ) -> torch.Tensor:
        return torch.tensor(
            values, dtype=dtype_of(info.dtype), device=self._device
        ).reshape(info.shape)

    def _make(self, info: _module.TensorInfo) -> torch.Tensor:
        dtype = dtype_of(info.dtype)
        if not dtype.is_floating_point:
            return torch.zeros(info.shape, dtype=dtype, device=self._device)
        # Sums of many products stay small, also in f16.
        return (
            torch.randn(
                info.shape, generator=self._generator, device=self._device
            )
            .mul_(0.1)
            .to(dtype)
        )

    def run(self) -> list[Optional[Times]]:
        calls = self._count_calls()
        graphs: dict[int, torch.cuda.CUDAGraph] = {}
        wanted = self._results_of(self._capture(self._modules[0], calls))
        for i, module in enumerate(self._modules):
            try:
                graph = self._capture(module, calls)
            except RunError:
                continue
            if not any(map(difference, self._results_of(graph), wanted)):
                graphs[i] = graph
        samples = self._take_turns(graphs, calls)
        return [
            Times(samples[i], len(samples[i]) == 1) if i in samples else None
            for i in range(len(self._modules))
        ]

    def _count_calls(self) -> int:
        """Returns the number of calls in a replay, a multiple of the number of
        sets of inputs."""
        first = self._modules[0]
        self._call(first, 0)
        once = _elapsed(lambda: self._call(first, 0))
        sets = len(self._sets)
        return sets * math.ceil(
            min(max(_REPLAY_US / once, 1), _MOST_CALLS) / sets
        )

    def _call(self, module: _module.Module, number: int) -> None:
        module.run(
            [
                tensor.data_ptr()
                for tensor in self._sets[number % len(self._sets)]
            ],
            [tensor.data_ptr() for tensor in self._results],
            self._device.index or 0,
            torch.cuda.current_stream(self._device).cuda_stream,
        )

    def _capture(
        self, module: _module.Module, calls: int
    ) -> torch.cuda.CUDAGraph:
        self._call(module, 0)  # which loads its code
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            for number in range(calls):
                self._call(module, number)
        return graph

    def _results_of(self, graph: torch.cuda.CUDAGraph) -> list[torch.Tensor]:
        updated = {id(tensor) for tensor in self._sets[0]}
        for result in self._results:
            if id(result) not in updated and result.is_floating_point():
                result.fill_(math.nan)
        graph.replay()
        # Tensors that each call updates are not compared.
        return [
            result.clone()
            for result in self._results
            if id(result) not in updated
        ]

    def _take_turns(
        self, graphs: dict[int, torch.cuda.CUDAGraph], calls: int
    ) -> dict[int, list[float]]:
        order = random.Random(0)
        samples: dict[int, list[float]] = {i: [] for i in graphs}
        alive = list(graphs)
        for turn in range(_TURNS):
            order.shuffle(alive)
            for i in alive:
                samples[i].append(_elapsed(graphs[i].replay) / calls)
            if turn == 0:
                best = min(samples[i][0] for i in alive)
                alive = [i for i in alive if samples[i][0] <= _HOPELESS * best]
                for i in alive:  # The first turn was a warm-up.
                    samples[i].clear()
        return samples


def _elapsed(enqueue: Callable[[], None]) -> float:
    """Returns the microseconds that enqueued work takes."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    begin.record()
    enqueue()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e3
