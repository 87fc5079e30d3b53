"""Loads packages, and calls them as functions."""

import inspect
import pathlib
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import torch
from torch import fx
from torch._subclasses import FakeTensorMode
from torch.utils import _pytree as pytree

from ... import packages, targets
from ...errors import Error, RunError
from ...module import Module
from .. import records
from ..compilation import segments
from ..runtime.partition import Output, Partition
from ..runtime.replaying import Replayed
from . import nesting, programs
from .arguments import show_call

_FALLBACKS = ("eager", "inductor")


class Package:
    """A model that was exported, and loaded with grout.load. Call it as the
    model was called, with tensors of the same shapes and types. It makes no
    gradients. Arguments that the model updates in place are updated.

    With `cuda_graph=True`, the package runs as one CUDA graph, in memory of its
    own. Inputs are copied to `buffers`, unless they are these very tensors. The
    next call overwrites the results. Only one thread and one stream at a time
    may use such a package.

    Calls raise TypeError and ValueError for arguments that do not fit.
    """

    def __init__(
        self,
        path: pathlib.Path,
        *,
        device: Union[str, torch.device, None] = None,
        fallback: str = "eager",
        cuda_graph: bool = False,
    ):
        if fallback not in _FALLBACKS:
            raise ValueError(
                f"grout: fallback is one of "
                f"{', '.join(_FALLBACKS)}, not {fallback!r}"
            )
        self.info = packages.info(path)
        with packages.damage_of(path):
            target = targets.get(self.info.target)
        self.device = _chosen(target.device_type, device)
        if cuda_graph and self.device.type != "cuda":
            raise ValueError(
                "cuda_graph=True needs a package for a GPU; "
                f"{path} is for {self.info.target}"
            )
        with packages.Reader(path) as reader, packages.damage_of(path):
            self._weights = torch.load(
                reader.weights(), weights_only=True, map_location=self.device
            )
            self._module = _assemble(
                reader.manifest, reader, self.device, fallback
            )
            self._inputs, self._in_spec, self._out_spec = _read_call(
                reader.manifest, self.device
            )
        self._is_flat = (
            self._in_spec
            == pytree.tree_flatten(((0,) * len(self._inputs), {}))[1]
        )
        self._is_single = self._out_spec == pytree.tree_flatten(0)[1]
        self._function = self._with_weights()
        self._replayed = (
            Replayed(
                self._function, self._example(), self.device, self._updated()
            )
            if cuda_graph
            else None
        )
        tensors = iter(self._replayed.inputs if self._replayed else ())
        self._own = [
            next(tensors, None) if one.dtype is not None else None
            for one in self._inputs
        ]

    def __repr__(self) -> str:
        return f"<grout.Package {self.info.name} for {self.info.target}>"

    @property
    def buffers(self) -> tuple[torch.Tensor, ...]:
        """With cuda_graph=True, the tensors where the graph reads its inputs.
        If you write your inputs there, and call the package with these very
        tensors, nothing is copied."""
        return self._graphed("buffers").inputs

    @property
    def cuda_graph(self) -> torch.cuda.CUDAGraph:
        """With cuda_graph=True, the graph, once there was a call. It reads
        `buffers`, and writes the results that the first call returned. Raises
        ValueError if there is no graph."""
        graph = self._graphed("a graph").graph
        if graph is None:
            raise ValueError("there is a graph after the first call")
        return graph

    def _graphed(self, what: str) -> Replayed:
        if self._replayed is None:
            raise ValueError(
                "only a package that was loaded with "
                f"cuda_graph=True has {what}"
            )
        return self._replayed

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._is_flat and not kwargs and len(args) == len(self._inputs):
            leaves: Sequence[Any] = args
        else:
            leaves, spec = pytree.tree_flatten((args, kwargs))
            if spec != self._in_spec:
                raise TypeError(self._say_call(leaves, spec))
        if self._replayed is None:
            tensors = [
                leaf
                for leaf, one in zip(leaves, self._inputs)
                if one.check(leaf)
            ]
            with torch.no_grad():
                results = self._run(tensors)
        else:
            # A tensor of `buffers`, as a decode loop passes it, needs no check.
            tensors = [
                leaf
                for leaf, one, own in zip(leaves, self._inputs, self._own)
                if (leaf is own and own is not None) or one.check(leaf)
            ]
            results = self._replayed(*tensors)
        if self._is_single:
            return results[0]
        return pytree.tree_unflatten(results, self._out_spec)

    def _run(self, tensors: Sequence[torch.Tensor]) -> Any:
        try:
            return self._function(*tensors)
        except RunError as error:
            # The error names the tensors of a partition, not of the package.
            overlap = self._say_overlap(tensors)
            if overlap:
                raise ValueError(overlap) from error
            raise

    def _say_overlap(self, tensors: Sequence[torch.Tensor]) -> str:
        """Names a tensor that is updated, and another one that shares its
        memory. Returns "" if there are no such tensors."""
        inputs = [one for one in self._inputs if one.dtype is not None]
        for updated, tensor in zip(inputs, tensors):
            for other, given in zip(inputs, tensors):
                if (
                    updated.is_updated
                    and other is not updated
                    and _overlap(tensor, given)
                ):
                    return (
                        f"{updated.name} is updated, and shares memory "
                        f"with {other.name}; pass a copy of one of them"
                    )
        return ""

    def _say_call(self, leaves: Sequence[Any], spec: pytree.TreeSpec) -> str:
        """Says how the package has to be called."""
        name = self.info.name
        wanted = show_call((one.name for one in self._inputs), self._in_spec)
        given = show_call((type(leaf).__name__ for leaf in leaves), spec)
        return (
            f"{name} is called as it was exported, {name}{wanted}, not "
            f"{name}{given}"
        )

    def _with_weights(self) -> Callable[..., Any]:
        weights = [self._weights[info.name] for info in self.info.weights]
        forward = self._module.forward
        return lambda *inputs: forward(*weights, *inputs)

    def _example(self) -> list[torch.Tensor]:
        return [
            torch.zeros(one.shape, dtype=one.dtype, device=self.device)
            for one in self._inputs
            if one.dtype is not None
        ]

    def _updated(self) -> list[int]:
        """Returns the numbers of the tensors that the model updates."""
        tensors = [one for one in self._inputs if one.dtype is not None]
        return [i for i, one in enumerate(tensors) if one.is_updated]


def _read_call(
    manifest: Mapping[str, Any], device: torch.device
) -> tuple[list["_Input"], pytree.TreeSpec, pytree.TreeSpec]:
    """Returns the inputs, which are the leaves of the arguments, and the
    nesting of the arguments and of the results."""
    return (
        [_Input(value, device) for value in manifest["inputs"]],
        nesting.decode(manifest["call"]["inputs"], is_result=False),
        nesting.decode(manifest["call"]["outputs"], is_result=True),
    )


def check(reader: packages.Reader, device: torch.device) -> None:
    """Reads a package that was just written, and raises an error if something
    is wrong with it. Needs neither memory for the weights, nor the processor
    that the package is for."""
    with FakeTensorMode():
        torch.load(reader.weights(), weights_only=True, map_location="cpu")
    _assemble(reader.manifest, reader, device, "eager")
    _read_call(reader.manifest, device)


class _Input:
    """The requirements on an argument."""

    def __init__(self, value: Mapping[str, Any], device: torch.device):
        self.name = value["name"]
        self.dtype: Optional[torch.dtype] = None
        self.shape: tuple[int, ...] = ()
        self.device = device
        self.constant = programs.decode_constant(value.get("constant"), device)
        self.is_updated = bool(value.get("is_updated"))
        if "dtype" in value:
            self.dtype = records.dtype_of(value["dtype"])
            self.shape = tuple(map(int, value["shape"]))

    def check(self, value: Any) -> bool:
        """Returns whether the argument is a tensor. Raises ValueError if
        `value` does not fit."""
        if self.dtype is None:
            if not _is_same(value, self.constant):
                raise ValueError(
                    f"{self.name} is {self.constant!r} in this "
                    f"package, not {value!r}"
                )
            return False
        if not isinstance(value, torch.Tensor):
            raise ValueError(
                f"{self.name} is a tensor, not a {type(value).__name__}"
            )
        if value.dtype != self.dtype or value.shape != self.shape:
            raise ValueError(
                f"{self.name} is {self.dtype}{list(self.shape)} in this "
                f"package, not {value.dtype}{list(value.shape)}"
            )
        if value.device != self.device:
            raise ValueError(
                f"{self.name} is on {value.device}, the package "
                f"on {self.device}"
            )
        return True


def _overlap(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether the bytes from the first to the last element of two tensors
    overlap."""
    (begin, end), (other_begin, other_end) = map(_bytes_of, (x, y))
    return begin < other_end and other_begin < end


def _bytes_of(tensor: torch.Tensor) -> tuple[int, int]:
    """Returns the addresses where a tensor begins and ends."""
    begin = tensor.data_ptr()
    if tensor.numel() == 0:
        return begin, begin
    last = sum(
        (extent - 1) * stride
        for extent, stride in zip(tensor.shape, tensor.stride())
    )
    return begin, begin + (last + 1) * tensor.element_size()


def _is_same(x: Any, y: Any) -> bool:
    """Whether two numbers are the same. NaN is the same as NaN."""
    return type(x) is type(y) and (x == y or (x != x and y != y))


def _chosen(kind: str, device: Union[str, torch.device, None]) -> torch.device:
    chosen = torch.device(kind if device is None else device)
    if chosen.type != kind:
        raise ValueError(f"the package is for {kind}, not for {chosen}")
    if kind == "cuda":
        if not torch.cuda.is_available():
            raise Error("the package is for a GPU, and PyTorch finds none")
        index = (
            torch.cuda.current_device()
            if chosen.index is None
            else chosen.index
        )
        chosen = torch.device(kind, index)
    return chosen


def _assemble(
    manifest: Mapping[str, Any],
    reader: packages.Reader,
    device: torch.device,
    fallback: str,
) -> fx.GraphModule:
    modules: dict[int, Module] = {}
    graph = fx.Graph()
    values: dict[str, fx.Node] = {}
    for one in (*manifest["weights"], *manifest["inputs"]):
        if "dtype" in one:
            values[one["name"]] = graph.placeholder(one["name"])
    functions: dict[str, torch.nn.Module] = {}
    for i, step in enumerate(manifest["steps"]):
        name = f"step_{i}"
        if "artifact" in step:
            number = step["artifact"]
            if number not in modules:
                modules[number] = Module(reader.artifact(number))
            functions[name] = segments.Call(
                Partition(
                    modules[number],
                    [order and tuple(order) for order in step["orders"]],
                    list(map(_output, step["results"])),
                    device,
                )
            )
        else:
            left = programs.decode(
                step["calls"], step["inputs"], step["outputs"], device
            )
            functions[name] = (
                torch.compile(left, dynamic=False)
                if fallback == "inductor"
                else left
            )
        segments.call(graph, name, step["inputs"], step["outputs"], values)
    graph.output(
        tuple(
            values[one["name"]]
            if "dtype" in one
            else programs.decode_constant(one["constant"], device)
            for one in manifest["outputs"]
        )
    )
    return fx.GraphModule(functions, graph)


def _output(result: Mapping[str, Any]) -> Output:
    return Output(
        tuple(result["shape"]),
        tuple(result["stride"]),
        records.dtype_of(result["dtype"]),
        result.get("message", ""),
        result.get("in_place"),
    )


def load(path: pathlib.Path, **options: Any) -> Package:
    """Loads a package: see grout.load."""
    _, *known = inspect.signature(Package).parameters
    for name in options:
        if name not in known:
            raise TypeError(
                f"grout.load has no option {name!r}; there are "
                f"{', '.join(known)}"
            )
    return Package(path, **options)
