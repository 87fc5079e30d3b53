"""Artifacts as functions on arrays."""

import contextlib
import dataclasses
import pathlib
import threading
from typing import Any, Optional, Protocol, Sequence, Union

from . import _arrays, _capturing, _runtime, tracing
from ._dlpack import View


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """An input or an output of a function, or a weight of a package."""

    name: str
    dtype: str
    """One of "f16", "bf16", "f32", "f64", "i1" (a truth value, in one byte),
    "i8", "i16", "i32" and "i64". Packages may have other types of PyTorch."""
    shape: tuple[int, ...]
    bytes: int
    in_place: Optional[int] = None
    """For an output that updates an input in place: the number of that input,
    which the call writes."""

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}{list(self.shape)}"


def _infos(module: _runtime.LoadedModule, what: str) -> list[TensorInfo]:
    return [
        TensorInfo(
            info.name.decode(),
            module.element_type_name(info.element_type),
            tuple(info.shape[: info.rank]),
            info.bytes,
            module.in_place(i) if what == "output" else None,
        )
        for i, info in enumerate(module.tensors(what))
    ]


class Team(Protocol):
    """The ranks that run modules together. It can be a key of a dictionary."""

    def allocate(self, module: "Module") -> _runtime.SymmetricMemory:
        """Returns symmetric memory for a new session of a module."""


class Module:
    """A compiled function. Call it with its inputs.

    The first call on a device and a stream makes a session. A session has the
    loaded code, the constants, the semaphores, and the memory for
    intermediates, unless the caller of `run` gives that. Each stream has a
    session of its own, and so has each CUDA graph that captures a call. Any
    number of threads may call a module; if they use the same stream, they wait
    for each other.

    An artifact is code: load only artifacts that you trust.
    """

    def __init__(self, artifact: bytes):
        self._artifact = bytes(artifact)
        self._module = _runtime.LoadedModule(self._artifact)
        self._sessions: dict[
            tuple[int, Optional[int], int, bool, Optional[Team], bool],
            _runtime.Session,
        ] = {}
        self._lock = threading.Lock()
        self.inputs = _infos(self._module, "input")
        self.outputs = _infos(self._module, "output")
        self.name = self._module.text("entry")
        self.target = self._module.text("target")
        self.mode = self._module.text("mode")
        self.workspace_bytes = self._module.workspace()
        self.symmetric_bytes, self.ranks = self._module.symmetric()
        self._is_cuda = self._module.device() == _runtime.CUDA

    def __repr__(self) -> str:
        return (
            f"<grout.Module {self.name} for {self.target}: "
            f"{', '.join(map(str, self.inputs))} -> "
            f"{', '.join(map(str, self.outputs))}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the artifact alone: a copy makes sessions of its own."""
        return type(self), (self._artifact,)

    def describe(self) -> str:
        """Describes the artifact for people: signature, code, buffers, and the
        launches of kernels, as grout-run --info does."""
        return self._module.describe()

    @property
    def artifact(self) -> bytes:
        """The bytes of the artifact's file."""
        return self._artifact

    def save(self, path: Union[str, pathlib.Path]) -> None:
        """Writes the artifact to a file, which grout.load and grout-run
        read."""
        pathlib.Path(path).write_bytes(self._artifact)

    def __call__(
        self,
        *inputs: Any,
        out: Optional[Sequence[Any]] = None,
        stream: Optional[int] = None,
    ) -> Any:
        """Runs the function on arrays of any library that has DLPack.

        The inputs must have the types and shapes of `self.inputs`, and be dense
        and row-major. Inputs in host memory that do not begin at a multiple of
        64 bytes are copied. The results are new arrays of the first input's
        library, on its device; or the arrays of `out`, which has one array for
        each output. Returns the result, or a tuple if there are several. If an
        output updates an input in place, the result is that input, which the
        call writes; `out`, if given, must have that very array, too.

        On a GPU the call does not wait: it enqueues its work on `stream`, a
        CUstream as a number. Without `stream`, that is the current stream of
        PyTorch or CuPy, or else the default stream.

        Raises TypeError and ValueError for arguments that do not fit, and
        RunError if the runtime refuses the call or fails.
        """
        self._check_count("inputs", inputs, self.inputs)
        updated = {info.in_place for info in self.outputs}
        views = [
            self._view(array, info, "input", is_read=i not in updated)
            for i, (array, info) in enumerate(zip(inputs, self.inputs))
        ]
        device = views[0].device if views else 0
        for view, info in zip(views, self.inputs):
            if view.device != device:
                raise ValueError(
                    f"input '{info.name}' is on device "
                    f"{view.device}, the first on {device}"
                )
        given = out is not None
        if out is None:
            if not inputs:
                raise ValueError("a function without inputs needs out=")
            out = [
                _arrays.empty_like(inputs[0], info.shape, info.dtype)
                if info.in_place is None
                else inputs[info.in_place]
                for info in self.outputs
            ]
        self._check_count("outputs", out, self.outputs)
        written = [
            self._view(array, info, "output", is_read=False)
            if info.in_place is None
            else views[info.in_place]
            for array, info in zip(out, self.outputs)
        ]
        for array, info in zip(out, self.outputs):
            if info.in_place is not None and array is not inputs[info.in_place]:
                raise ValueError(
                    f"output '{info.name}' is in place of input "
                    f"'{self.inputs[info.in_place].name}', and must be that"
                )
        if self._is_cuda and stream is None:
            stream = _current_stream(inputs[0] if inputs else out[0])
        self._run(views, written, device, stream)
        results = (
            out
            if given
            else [
                array
                if info.in_place is not None
                else _arrays.as_library_of(inputs[0], array)
                for array, info in zip(out, self.outputs)
            ]
        )
        return results[0] if len(results) == 1 else tuple(results)

    def _check_count(
        self, what: str, arrays: Sequence[Any], infos: list[TensorInfo]
    ) -> None:
        if len(arrays) != len(infos):
            raise TypeError(
                f"{self.name} has {len(infos)} {what} "
                f"({', '.join(map(str, infos))}), not "
                f"{len(arrays)}"
            )

    def _view(
        self, array: Any, info: TensorInfo, kind: str, is_read: bool
    ) -> View:
        what = f"{kind} '{info.name}'"
        if not is_read and _arrays.library_of(array) == "jax":
            raise TypeError(f"{what} is written, and arrays of JAX cannot be")
        view = View(array, what, is_read)
        if view.dtype != info.dtype or view.shape != info.shape:
            raise ValueError(
                f"{what} is {info.dtype}{list(info.shape)}, not "
                f"{view.dtype}{list(view.shape)}"
            )
        if not view.is_dense:
            raise ValueError(
                f"{what} is not dense and row-major; make a contiguous copy"
            )
        if not (view.is_cuda if self._is_cuda else view.is_cpu):
            raise ValueError(
                f"{what} is not on the "
                f"{'GPU' if self._is_cuda else 'CPU'}, for which "
                f"{self.name} was compiled"
            )
        return view

    def _session(
        self,
        device: int,
        stream: Optional[int],
        caller_workspace: bool = False,
        team: Optional[Team] = None,
    ) -> _runtime.Session:
        # A CUDA graph may be replayed at the same time as other work, so each
        # graph has a session of its own, with its own intermediates.
        capture = (
            _capturing.capture_id(stream)
            if self._is_cuda and stream is not None
            else 0
        )
        trace = tracing.active()
        key = (
            device,
            stream,
            capture,
            caller_workspace,
            team,
            trace is not None,
        )
        with self._lock:
            is_new = key not in self._sessions
            if is_new:
                with (
                    _capturing.allocating()
                    if capture
                    else contextlib.nullcontext()
                ):
                    self._sessions[key] = _runtime.Session(
                        self._module,
                        device,
                        caller_workspace=caller_workspace,
                        symmetric=team.allocate(self) if team else None,
                        trace=trace is not None,
                    )
            session = self._sessions[key]
        if trace is not None:
            trace.watch(self.name, device, session, is_new)
        return session

    def run(
        self,
        inputs: Sequence[int],
        outputs: Sequence[int],
        device: int = 0,
        stream: Optional[int] = None,
        workspace: Optional[int] = None,
        team: Optional[Team] = None,
    ) -> None:
        """Runs the function on addresses, which it does not check.

        `inputs` and `outputs` are the addresses of dense arrays that have the
        types, the shapes and the alignment that the function needs, and do not
        overlap. An output that updates an input in place has the address of
        that input. On a GPU, the work is enqueued on `stream`. `workspace` is
        the address of `workspace_bytes` bytes, a multiple of 256, which the run
        may write until its work has ended. Without it, the session keeps memory
        for intermediates. A module for several ranks needs a `team`, all of
        whose ranks make the same calls.
        """
        if workspace is None:
            self._session(device, stream, team=team).run(
                inputs, outputs, stream
            )
            return
        self._session(device, stream, caller_workspace=True, team=team).run(
            inputs, outputs, stream, (workspace, self.workspace_bytes)
        )

    def _run(
        self,
        views: list[View],
        written: list[View],
        device: int,
        stream: Optional[int],
    ) -> None:
        session = self._session(device, stream)
        if self._is_cuda:
            session.run(
                [view.address for view in views],
                [view.address for view in written],
                stream,
            )
            return
        # The copies live until the run has ended: on the CPU, when `run`
        # returns.
        copies = [_copy_if_misaligned(view) for view in views]
        addresses = [
            view.address if copy is None else copy.ctypes.data
            for view, copy in zip(views, copies)
        ]
        results = [
            _copy_if_misaligned(view)
            if info.in_place is None
            else copies[info.in_place]
            for view, info in zip(written, self.outputs)
        ]
        session.run(
            addresses,
            [
                view.address if copy is None else copy.ctypes.data
                for view, copy in zip(written, results)
            ],
            None,
        )
        for view, copy in zip(written, results):
            if copy is not None and view.bytes:
                _arrays.copy_back(copy, view.address)


def _copy_if_misaligned(view: View) -> Optional[_arrays.Array]:
    if view.bytes == 0:
        return _arrays.aligned((1,), "i8")  # an address that is not null
    if view.address % _runtime.CPU_ALIGNMENT == 0:
        return None
    return _arrays.aligned_copy(view.address, view.bytes)


def _current_stream(array: Any) -> int:
    library = _arrays.library_of(array)
    if library == "torch":
        import torch

        return int(torch.cuda.current_stream(array.device).cuda_stream)
    if library == "cupy":
        import cupy

        return int(cupy.cuda.get_current_stream().ptr)
    return 0
