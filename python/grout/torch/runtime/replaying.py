"""Runs functions as CUDA graphs."""

from typing import Any, Callable, Iterable, Optional, Sequence

import torch

_WARM_UP = 3  # calls, in which libraries choose kernels and allocate memory


class Replayed:
    """Captures a function of tensors at the first call, and replays the CUDA
    graph. The function must do the same at each call, and must neither wait for
    the GPU nor read results. It may update the inputs whose numbers are in
    `updated`."""

    def __init__(
        self,
        function: Callable[..., Any],
        inputs: Sequence[torch.Tensor],
        device: torch.device,
        updated: Sequence[int] = (),
    ):
        self._function = function
        self._device = device
        self._updated = updated
        self.inputs = tuple(inputs)
        """The tensors that the graph reads."""
        self.graph: Optional[torch.cuda.CUDAGraph] = None
        self._results: Any = None

    def __call__(self, *inputs: torch.Tensor) -> Any:
        _copy(zip(self.inputs, inputs))
        if self.graph is None:
            self._capture()
        assert self.graph is not None
        self.graph.replay()
        _copy((inputs[i], self.inputs[i]) for i in self._updated)
        return self._results

    def _capture(self) -> None:
        before = [self.inputs[i].clone() for i in self._updated]
        with torch.cuda.device(self._device):
            beside = torch.cuda.Stream()
            beside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(beside), torch.no_grad():
                for _ in range(_WARM_UP):
                    self._function(*self.inputs)
            torch.cuda.current_stream().wait_stream(beside)
            _copy(
                (self.inputs[i], value)
                for i, value in zip(self._updated, before)
            )
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph), torch.no_grad():
                self._results = self._function(*self.inputs)
        self.graph = graph


def _copy(pairs: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
    """Copies to the first tensor of each pair from the second, unless they are
    the same object."""
    moved = [(to, source) for to, source in pairs if to is not source]
    if moved:
        with torch.no_grad():
            torch._foreach_copy_(
                [to for to, _ in moved], [source for _, source in moved]
            )
