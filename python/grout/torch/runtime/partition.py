"""Compiled partitions, as functions on PyTorch's tensors."""

import dataclasses
from typing import Optional, Sequence

import torch

from ... import module as _module
from ..graph import collectives, orders
from . import teams, workspaces

_ALIGNMENT = {"cpu": 64, "cuda": 16}


@dataclasses.dataclass(frozen=True)
class Output:
    """A tensor that a partition makes."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    message: str = ""
    """If this is not "", the output is no result, but a truth value. If that is
    true, the call raises an error with this message."""
    in_place: Optional[int] = None
    """The number of the input that is updated to become this output."""

    @staticmethod
    def like(value: torch.Tensor, in_place: Optional[int] = None) -> "Output":
        return Output(
            tuple(value.shape),
            tuple(value.stride()),
            value.dtype,
            in_place=in_place,
        )

    def is_dense(self) -> bool:
        """Whether the tensor is dense in the order of its axes."""
        return orders.is_dense(self.shape, self.stride)

    def is_reordered(self) -> bool:
        """Whether the tensor is dense in another order of its axes."""
        return orders.order_of(self.shape, self.stride) is not None


class Partition:
    """Calls a compiled module, which takes each input with its axes in the
    order that `input_orders` gives.

    Results have the strides of the graph, for which later operators were
    chosen. The last output may have a message: if its truth value is true, a
    call raises IndexError on the CPU. On a GPU, it is an assertion of the
    device, as in PyTorch.

    With `exchanges`, the module runs these collectives of a process group. All
    of its ranks must call the partition.
    """

    def __init__(
        self,
        module: _module.Module,
        input_orders: Sequence[Optional[orders.Order]],
        outputs: Sequence[Output],
        device: torch.device,
        exchanges: Optional[collectives.Collectives] = None,
    ):
        self.module = module
        self._exchanges = exchanges
        self.input_orders = list(input_orders)
        self.outputs = list(outputs)
        self._outputs = [
            (
                output.shape,
                output.dtype,
                None if output.is_dense() else output.stride,
                output.is_reordered(),
                output.in_place,
            )
            for output in outputs
        ]
        self._updated = [
            (i, output.in_place)
            for i, output in enumerate(self.outputs)
            if output.in_place is not None
        ]
        self._message = self.outputs[-1].message if self.outputs else ""
        self._device = device
        self._alignment = _ALIGNMENT[device.type]

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        # The tensors that are made here live until the work is enqueued or, on
        # the CPU, done. The allocator of a GPU reuses their memory in the order
        # of its stream.
        device = self._device
        read = [
            self._readable(tensor, order)
            for tensor, order in zip(inputs, self.input_orders)
        ]
        results = [
            read[in_place]
            if in_place is not None
            else torch.empty_strided(shape, stride, dtype=dtype, device=device)
            if is_reordered
            else torch.empty(shape, dtype=dtype, device=device)
            for shape, dtype, stride, is_reordered, in_place in self._outputs
        ]
        addresses = [tensor.data_ptr() for tensor in read]
        written = [tensor.data_ptr() for tensor in results]
        stream = (
            torch.cuda.current_stream(device).cuda_stream
            if device.type == "cuda"
            else None
        )
        with workspaces.borrow(self.module.workspace_bytes, device) as address:
            self.module.run(
                addresses,
                written,
                device.index or 0,
                stream,
                address,
                self._find_team(),
            )
        for i, number in self._updated:
            # If the input was not dense and aligned, the kernel updated a copy.
            if read[number] is not inputs[number]:
                results[i] = inputs[number].copy_(read[number])
        for i, (_shape, _dtype, stride, is_reordered, _) in enumerate(
            self._outputs
        ):
            if stride is not None and not is_reordered:
                results[i] = _strided(results[i], stride)
        if self._message:
            self._check(results.pop())
        return results

    def _find_team(self) -> Optional[teams.Team]:
        if self._exchanges is None:
            return None
        return teams.find(self._exchanges, self._device)

    def _check(self, is_wrong: torch.Tensor) -> None:
        if self._device.type == "cuda":  # which does not wait
            torch._assert_async(~is_wrong, self._message)
        elif is_wrong:
            raise IndexError(self._message)

    def _readable(
        self, tensor: torch.Tensor, order: Optional[orders.Order]
    ) -> torch.Tensor:
        if tensor.is_neg():
            tensor = tensor.resolve_neg()
        if order is not None:
            tensor = tensor.permute(order)
        tensor = tensor.contiguous()
        if tensor.data_ptr() % self._alignment:
            tensor = tensor.clone()
        return tensor


def _strided(result: torch.Tensor, stride: Sequence[int]) -> torch.Tensor:
    """Returns a copy with these strides, in which repeated elements are stored
    once."""
    once = result
    for axis, distance in enumerate(stride):
        if distance == 0:
            once = once.narrow(axis, 0, 1)
    strided = torch.empty_strided(
        once.shape, stride, dtype=result.dtype, device=result.device
    )
    return strided.copy_(once).expand(result.shape)
